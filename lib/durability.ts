import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from './known-settings.ts';

/** What a stage does with things that hold data when the stack, or their place in it, is deleted. */
export interface Durability {
  readonly removalPolicy: RemovalPolicy;
  /** DynamoDB itself refuses to delete the table. */
  readonly deletionProtection: boolean;
}

/** `prod` keeps data whatever happens to the stack; `dev` leaves nothing behind. */
export function durabilityOf(stage: Stage): Durability {
  return stage === 'prod'
    ? { removalPolicy: RemovalPolicy.RETAIN, deletionProtection: true }
    : { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false };
}
