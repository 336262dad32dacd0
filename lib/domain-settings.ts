import { Arn, ArnFormat } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';

/** A host name of yours and its certificate. */
export interface CustomDomain {
  readonly name: string;
  readonly certificateArn: string;
}

/** `undefined` when the webhook URLs have API Gateway's own name. */
export const customDomainOf = ({ domainName, domainCertificateArn }: Settings): CustomDomain | undefined =>
  domainName === undefined || domainCertificateArn === undefined
    ? undefined
    : { name: domainName, certificateArn: domainCertificateArn };

/** What is wrong with the settings of a domain that each of them alone does not show. */
export function domainProblems(settings: Settings): readonly string[] {
  const { domainName, domainCertificateArn } = settings;
  const pair =
    (domainName === undefined) === (domainCertificateArn === undefined)
      ? []
      : ['domainName and domainCertificateArn belong together: set both, or neither'];
  const regions = settingRegionsOf(settings);
  const [first, other] = regions;
  return first === undefined || other === undefined || first.region === other.region
    ? pair
    : [
        ...pair,
        `${first.name} is in ${first.region} and ${other.name} in ${other.region}: both have to be in the Region of the stack`,
      ];
}

/** The Region that the settings tie the stack to, if they do. */
export const regionOfSettings = (settings: Settings): string | undefined => settingRegionsOf(settings)[0]?.region;

const settingRegionsOf = ({ domainCertificateArn, customerKeyArn }: Settings) =>
  [
    { name: 'domainCertificateArn', arn: domainCertificateArn },
    { name: 'customerKeyArn', arn: customerKeyArn },
  ].flatMap(({ name, arn }) =>
    arn === undefined ? [] : [{ name, region: Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).region }],
  );
