// The patterns that several kinds share (§2.1). RE2, as the API server reads them.

const labelBody = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainBody = `${labelBody}(\\.${labelBody})*`
const pathBody = "[A-Za-z0-9._~%!$&'()*+,;=:@/-]"

type PatternName =
  | 'label'
  | 'subdomain'
  | 'policyArn'
  | 'roleArn'
  | 'roleName'
  | 'oidcProviderArn'
  | 'hostPath'
  | 'clusterName'
  | 'region'
  | 'eksIssuer'
  | 'conditionType'
  | 'conditionReason'
  | 'labelValue'
  | 'intOrPercent'
  | 'deadline'

export const patterns: Readonly<Record<PatternName, string>> = {
  label: `^${labelBody}$`,
  subdomain: `^${subdomainBody}$`,
  policyArn: '^arn:aws[a-z0-9-]*:iam::(aws|[0-9]{12}):policy/[\\w+=,.@/-]+$',
  roleArn: '^arn:aws[a-z0-9-]*:iam::[0-9]{12}:role/[\\w+=,.@/-]+$',
  roleName: '^[\\w+=,.@-]+$',
  oidcProviderArn: `^arn:aws[a-z0-9-]*:iam::[0-9]{12}:oidc-provider/${pathBody}+$`,
  hostPath: `^${subdomainBody}(/${pathBody}*)?$`,
  clusterName: `^${subdomainBody}/${subdomainBody}$`,
  region: '^[a-z]{2,}-[a-z0-9-]+-[0-9]+$',
  eksIssuer: '^https://oidc\\.eks\\.[a-z]{2,}-[a-z0-9-]+-[0-9]+\\.[a-z0-9.-]+/id/[A-Z0-9]+$',
  conditionType: `^(${subdomainBody}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  conditionReason: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  labelValue: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  intOrPercent: '^((100|[0-9]{1,2})%|[0-9]+)$',
  /** Badly anchored in the reference; kept to the letter, since objects that passed it are out there. */
  deadline: '^(([0-9])+[h|m|s])|None$',
}
