import { Problem } from '../problem.ts';
import { type Place, physicalAttribute, physicalId } from './physical-names.ts';
import { stackIdOf } from './stack-id.ts';
import type { Template } from './template.ts';

/** Replaces CloudFormation's functions in a value by what they come to here. */
export interface Resolver {
  /**
   * @param where named in the message when the value cannot be resolved: logical id and property
   * @throws Problem for a function, resource or attribute that is unknown.
   */
  resolve(value: unknown, where: string): unknown;
  /** As {@link resolve}, for a value that must come to a text. */
  text(value: unknown, where: string): string;
}

export function createResolver(template: Template, place: Place): Resolver {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': place.accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': place.region,
    'AWS::StackId': stackIdOf(template.stackName, place),
    'AWS::StackName': template.stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };

  function reference(name: string, where: string): string {
    const known = pseudo[name];
    if (known !== undefined) return known;
    return physicalId(template, resourceOf(name, where), place, text);
  }

  function attribute(name: string, path: string, where: string): string {
    return physicalAttribute(template, resourceOf(name, where), path, place, text);
  }

  function resourceOf(name: string, where: string) {
    const resource = template.resources.get(name);
    if (resource === undefined) throw new Problem(`${where} refers to ${name}, which the template does not have`);
    return resource;
  }

  function resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) return value.map((entry) => resolve(entry, where));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (first !== undefined && entries.length === 1 && (first[0] === 'Ref' || first[0].startsWith('Fn::'))) {
      return call(first[0], first[1], where);
    }
    return Object.fromEntries(entries.map(([key, entry]) => [key, resolve(entry, where)]));
  }

  function call(name: string, argument: unknown, where: string): unknown {
    switch (name) {
      case 'Ref':
        return reference(String(argument), where);
      case 'Fn::GetAtt': {
        const [logicalId = '', ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
        return attribute(logicalId, path.join('.'), where);
      }
      case 'Fn::Join': {
        const [separator, parts] = pair(argument, name, where);
        return list(resolve(parts, where), name, where).map(String).join(String(separator));
      }
      case 'Fn::Split': {
        const [separator, source] = pair(argument, name, where);
        return text(source, where).split(String(separator));
      }
      case 'Fn::Select': {
        const [index, parts] = pair(argument, name, where);
        const found = list(resolve(parts, where), name, where)[Number(index)];
        if (found === undefined) throw new Problem(`${where}: Fn::Select has no entry ${index}`);
        return found;
      }
      case 'Fn::Sub':
        return substitute(argument, where);
      default:
        throw new Problem(`${where} uses ${name}, which local AWS does not know. Add it to local/template/resolver.ts`);
    }
  }

  function substitute(argument: unknown, where: string): string {
    const [pattern, variables] = typeof argument === 'string' ? [argument, {}] : pair(argument, 'Fn::Sub', where);
    const own = new Map(Object.entries(Object(variables)));
    return String(pattern).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal === '!') return `\${${name}}`;
      if (own.has(name)) return text(own.get(name), where);
      const dot = name.indexOf('.');
      return dot < 0 ? reference(name, where) : attribute(name.slice(0, dot), name.slice(dot + 1), where);
    });
  }

  function text(value: unknown, where: string): string {
    const resolved = resolve(value, where);
    if (typeof resolved === 'string') return resolved;
    if (typeof resolved === 'number' || typeof resolved === 'boolean') return String(resolved);
    throw new Problem(`${where} must come to a text, and comes to ${JSON.stringify(resolved)}`);
  }

  return { resolve, text };
}

function pair(argument: unknown, name: string, where: string): readonly [unknown, unknown] {
  const [first, second, ...rest] = list(argument, name, where);
  if (rest.length > 0) throw new Problem(`${where}: ${name} has too many arguments`);
  return [first, second];
}

function list(value: unknown, name: string, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Problem(`${where}: ${name} needs a list, and has ${JSON.stringify(value)}`);
  return value;
}
