import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

export interface SigningSecretProps {
  readonly settings: Settings;
}

/**
 * The secret that holds every source's signing secrets, created empty. The template has no value and
 * asks for none to be made, so a deploy writes none: what `oncehook secret set` stored stays.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-secretsmanager-secret.html
 */
export class SigningSecret extends Construct {
  /** Also what every API takes as the secret's id. */
  readonly arn: string;

  constructor(scope: Construct, id: string, props: SigningSecretProps) {
    super(scope, id);
    // The higher construct would ask for a generated value.
    const secret = new CfnSecret(this, 'Secret', {
      description: 'Oncehook signing secrets by source; written by `oncehook secret`, never by a deploy',
    });
    secret.applyRemovalPolicy(durabilityOf(props.settings.stage).removalPolicy);
    this.arn = secret.ref;

    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The values are issued by the webhook providers; only there can they be rotated. Two at a time are accepted.',
    });
  }
}
