/**
 * The program behind {@link describeSources}: prints the sources of a module as JSON.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sources } from '../../lambda/authoring/define-sources.ts';
import { PROJECT_ROOT } from '../project-root.ts';
import type { SourceDescription } from './sources.ts';

const file = resolve(process.argv[2] ?? join(PROJECT_ROOT, 'lambda/handlers/sources.ts'));
const module: { readonly sources: Sources } = await import(pathToFileURL(file).href);

const descriptions = [...module.sources.values()].map(
  ({ name, provider, rules }): SourceDescription => ({
    name,
    provider: provider.name,
    secret: provider.scheme.secret,
    types: [...rules.keys()],
  }),
);
process.stdout.write(JSON.stringify(descriptions));
