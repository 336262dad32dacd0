/**
 * The console page: asks for the state once a second and shows it. Everything it is given is put
 * in as text, never as markup. A part of the page is redrawn only when its data has changed, so
 * that a selection or a scroll position stays.
 */
const REFRESH_MS = 1000;
const QUIET_OUTCOMES = ['processed', 'duplicate', 'superseded', 'ignored', 'queued'];

const drawn = new Map();

function draw(id, data, build) {
  const text = JSON.stringify(data);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  document.getElementById(id).replaceChildren(...build(data));
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const classOf = (outcome) => (QUIET_OUTCOMES.includes(outcome) ? outcome : 'trouble');

const drawUrls = (sources) => sources.flatMap(({ name, url }) => [element('dt', {}, name), element('dd', {}, url)]);

function drawCounts(counts) {
  const entries = Object.entries({ processed: 0, duplicate: 0, ...counts });
  return entries.map(([outcome, count]) =>
    element('li', { class: classOf(outcome) }, element('strong', {}, String(count)), outcome),
  );
}

function drawDeliveries(deliveries) {
  if (deliveries.length === 0) {
    return [element('p', { class: 'empty' }, 'None yet. Try: npx oncehook send stripe invoice.paid --times 2')];
  }
  const rows = deliveries.map(({ at, outcome, source, type, eventId, durationMs, reason }) => {
    const cells = [source, type, eventId, durationMs === undefined ? '' : String(durationMs), reason];
    return element(
      'tr',
      { class: classOf(outcome) },
      element('td', {}, element('time', { datetime: at }, new Date(at).toLocaleTimeString())),
      element('td', { class: 'outcome' }, outcome),
      ...cells.map((cell) => element('td', { title: cell }, cell)),
    );
  });
  return [drawTable('Latest deliveries', ['time', 'outcome', 'source', 'type', 'event', 'ms', 'reason'], rows)];
}

function drawTables(tables) {
  return tables.map(({ key, name, columns, rows, more }) => {
    const heading = element('h2', { id: `table-${key}` }, key, element('small', {}, name));
    const content =
      rows.length === 0
        ? element('p', { class: 'empty' }, 'empty')
        : drawTable(
            key,
            columns,
            rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', { title: cell }, cell)))),
          );
    const note = more ? [element('p', { class: 'empty' }, 'There are more rows than these.')] : [];
    return element('section', { 'aria-labelledby': `table-${key}` }, heading, content, ...note);
  });
}

function drawTable(label, columns, rows) {
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)));
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
  // Scrolls by itself, so it must be reachable by keyboard.
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
}

function sayConnection(text, isLost) {
  const line = document.getElementById('connection');
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle('lost', isLost);
}

async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch('state.json');
    if (!response.ok) throw new Error(await response.text());
    const { sources, counts, deliveries, tables } = await response.json();
    draw('urls', sources, drawUrls);
    draw('counts', counts, drawCounts);
    draw('deliveries', deliveries, drawDeliveries);
    draw('tables', tables, drawTables);
    sayConnection('live', false);
  } catch {
    sayConnection('no answer: local AWS has stopped', true);
  }
}

async function keepRefreshing() {
  await refresh();
  setTimeout(keepRefreshing, REFRESH_MS);
}

document.addEventListener('visibilitychange', () => void refresh());
void keepRefreshing();
