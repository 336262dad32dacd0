/** A policy document as IAM evaluates it: every reference resolved. */
export interface Policy {
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** What one function may do. */
export interface FunctionRole {
  /** The function's key, such as `receive`. */
  readonly functionKey: string;
  readonly functionName: string;
  readonly roleName: string;
  /** The name of its log group. */
  readonly logGroup: string;
  readonly policies: readonly Policy[];
}

/** One action on one resource. */
export interface Access {
  readonly functionKey: string;
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** An ARN, or `*` for an action that has no resource; in a grant it may hold wildcards. */
  readonly resource: string;
}
