// The kinds that are proven, service by service.
import type { KindCase } from './case.ts'
import { gatewayCases } from './cases/apigatewayv2.ts'
import { backupCases } from './cases/dynamodb.ts'
import { cacheCases } from './cases/elasticache.ts'
import { firstCases } from './cases/first.ts'
import { identityCases } from './cases/iam.ts'
import { keyCases } from './cases/kms.ts'
import { lambdaCases } from './cases/lambda.ts'
import { memoryCases } from './cases/memorydb.ts'
import { databaseCases } from './cases/rds.ts'
import { shippedCases } from './cases/shipped.ts'
import { endpointCases } from './cases/sns.ts'

export const kindCases: readonly KindCase[] = [
  ...firstCases,
  ...backupCases,
  ...endpointCases,
  ...keyCases,
  ...lambdaCases,
  ...databaseCases,
  ...cacheCases,
  ...memoryCases,
  ...gatewayCases,
  ...identityCases,
  ...shippedCases,
]
