/** One statement of a policy in a template. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: Arn | readonly Arn[];
  readonly Condition?: unknown;
}

/** A policy of any kind that says what its holder may do. */
export interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

/** An ARN in a template: text, a reference, or a mixture. */
type Arn =
  | string
  | { readonly Ref: string }
  | { readonly 'Fn::GetAtt': readonly string[] }
  | { readonly 'Fn::Join': readonly [string, readonly Arn[]] };

export const asList = <T>(value: T | readonly T[]): readonly T[] => (isList(value) ? value : [value]);
const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** A resource's logical id; the ARN as text where it is not of this template. */
export function nameOf(arn: Arn): string {
  if (typeof arn === 'string') return arn;
  if ('Ref' in arn) return arn.Ref;
  if ('Fn::GetAtt' in arn) return arn['Fn::GetAtt'].join('.');
  const [separator, parts] = arn['Fn::Join'];
  return parts.map(nameOf).join(separator);
}

/** Each action on each resource, as `<action> <resource>`. */
export const grantsOf = (statements: readonly Statement[]): readonly string[] =>
  statements.flatMap(({ Action, Resource }) =>
    asList(Action).flatMap((action) => asList(Resource).map((resource) => `${action} ${nameOf(resource)}`)),
  );
