import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** Attribute names and list indexes from the item's root. */
export type Path = readonly (string | number)[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'size'; readonly of: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'compare'; readonly comparator: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly among: readonly Operand[] }
  | { readonly kind: 'exists' | 'not-exists'; readonly path: Path }
  | { readonly kind: 'attribute-type'; readonly operand: Operand; readonly type: Operand }
  | { readonly kind: 'begins-with'; readonly operand: Operand; readonly prefix: Operand }
  | { readonly kind: 'contains'; readonly operand: Operand; readonly part: Operand };

/** The right-hand side of a SET action. */
export type Assigned =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'plus' | 'minus' | 'list-append'; readonly left: Assigned; readonly right: Assigned }
  | { readonly kind: 'if-not-exists'; readonly path: Path; readonly otherwise: Assigned };

export type UpdateAction =
  | { readonly kind: 'set'; readonly path: Path; readonly to: Assigned }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly value: AttributeValue };
