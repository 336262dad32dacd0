import { SETTINGS } from '../lib/known-settings.ts';

const INTRODUCTION = `# Settings

What the stack can be told. A setting is a key of \`context\` in \`cdk.json\`, or an argument:

\`\`\`sh
npx cdk deploy -c stage=prod -c dedupWindowDays=30
\`\`\`

An argument wins over \`cdk.json\`. What you leave out has its default. A value that is not allowed stops
\`cdk\` before it does anything, with every problem in one list.

A context key of letters and digits alone has to be one of these; a misspelt setting would otherwise be without
effect. Give context keys of your own a colon or a hyphen, as CDK does.

Which sources and tables there are is not here: \`lambda/handlers/\` declares them.
`;

/** The page about every setting, as Markdown. */
export function renderSettings(): string {
  const sections = Object.entries(SETTINGS).map(
    ([name, { rule, fallbackText, about }]) =>
      `## ${name}\n\n${about}\n\n- Default: ${fallbackText}\n- Allowed: ${rule.allowed}\n`,
  );

  return [INTRODUCTION, ...sections].join('\n');
}
