// The list of all deviations. A kind that is not here needs none.
import { acmCertificate } from './acm/certificate.ts'
import { apiGatewayApi, apiGatewayStage, apiGatewayVpcLink } from './apigatewayv2/arns.ts'
import { type Deviation, noDeviation } from './deviation.ts'
import { dynamodbBackup } from './dynamodb/backup.ts'
import { dynamodbTable } from './dynamodb/table.ts'
import { eksPodIdentityAssociation } from './eks/pod-identity-association.ts'
import { iamInstanceProfile } from './iam/instance-profile.ts'
import { iamOidcProvider } from './iam/oidc-provider.ts'
import { iamPolicy } from './iam/policy.ts'
import { iamGroup, iamRole, iamUser } from './iam/principal.ts'
import { iamServiceLinkedRole } from './iam/service-linked-role.ts'
import { lambdaFunction } from './lambda/function.ts'
import { lambdaLayerVersion } from './lambda/layer-version.ts'
import { memorydbUser } from './memorydb/user.ts'
import { rdsClusterParameterGroup, rdsParameterGroup } from './rds/parameter-group.ts'
import { route53HealthCheck } from './route53/health-check.ts'
import { route53HostedZone } from './route53/hosted-zone.ts'
import { route53RecordSet } from './route53/record-set.ts'
import { s3Bucket } from './s3/bucket.ts'
import { snsPlatformApplication } from './sns/platform-application.ts'
import { snsPlatformEndpoint } from './sns/platform-endpoint.ts'

const deviations: Readonly<Record<string, Deviation>> = {
  'acm/Certificate': acmCertificate,
  'apigatewayv2/API': apiGatewayApi,
  'apigatewayv2/Stage': apiGatewayStage,
  'apigatewayv2/VPCLink': apiGatewayVpcLink,
  'dynamodb/Backup': dynamodbBackup,
  'dynamodb/Table': dynamodbTable,
  'eks/PodIdentityAssociation': eksPodIdentityAssociation,
  'iam/Group': iamGroup,
  'iam/InstanceProfile': iamInstanceProfile,
  'iam/OpenIDConnectProvider': iamOidcProvider,
  'iam/Policy': iamPolicy,
  'iam/Role': iamRole,
  'iam/ServiceLinkedRole': iamServiceLinkedRole,
  'iam/User': iamUser,
  'lambda/Function': lambdaFunction,
  'lambda/LayerVersion': lambdaLayerVersion,
  'memorydb/User': memorydbUser,
  'rds/DBClusterParameterGroup': rdsClusterParameterGroup,
  'rds/DBParameterGroup': rdsParameterGroup,
  'route53/HealthCheck': route53HealthCheck,
  'route53/HostedZone': route53HostedZone,
  'route53/RecordSet': route53RecordSet,
  's3/Bucket': s3Bucket,
  'sns/PlatformApplication': snsPlatformApplication,
  'sns/PlatformEndpoint': snsPlatformEndpoint,
}

/** Whether a kind has code of its own here. */
export function isDeviating(id: string): boolean {
  return Object.hasOwn(deviations, id)
}

export function deviationOf(id: string): Deviation {
  const found = isDeviating(id) ? deviations[id] : undefined
  return found ?? noDeviation
}
