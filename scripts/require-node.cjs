// Plain enough for any Node: on an old one everything else fails with a message that says nothing.
'use strict';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `Oncehook needs Node ${NEEDED}; this is ${process.versions.node}. npm ci brings it along on Linux; elsewhere, install Node ${NEEDED}.`,
  );
  process.exit(1);
}
