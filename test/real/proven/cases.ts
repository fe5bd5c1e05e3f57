// The kinds that are proven, service by service.
import type { KindCase } from './case.ts'
import { gatewayCases } from './cases/apigatewayv2.ts'
import { cacheCases } from './cases/elasticache.ts'
import { firstCases } from './cases/first.ts'
import { keyCases } from './cases/kms.ts'
import { lambdaCases } from './cases/lambda.ts'
import { memoryCases } from './cases/memorydb.ts'
import { databaseCases } from './cases/rds.ts'
import { endpointCases } from './cases/sns.ts'

export const kindCases: readonly KindCase[] = [
  ...firstCases,
  ...endpointCases,
  ...keyCases,
  ...lambdaCases,
  ...databaseCases,
  ...cacheCases,
  ...memoryCases,
  ...gatewayCases,
]
