import type { KindCase, Probe } from '../case.ts'

const front: NonNullable<KindCase['needs']> = [['apigatewayv2', 'CreateApi', { Name: 'front', ProtocolType: 'HTTP' }]]
const apiID = '{needed.0.ApiId}'
const authorizer = (says: object): Probe => ({
  operation: 'GetAuthorizer',
  input: { ApiId: apiID, AuthorizerId: '{status.authorizerID}' },
  says,
})
const absent = { error: /NotFoundException/ }

export const gatewayCases: readonly KindCase[] = [
  {
    service: 'apigatewayv2',
    kind: 'Authorizer',
    needs: front,
    spec: {
      apiID,
      name: 'door',
      authorizerType: 'JWT',
      identitySource: ['$request.header.Authorization'],
      jwtConfiguration: { audience: ['a'], issuer: 'https://issuer.example.com' },
    },
    made: authorizer({ Name: 'door' }),
    changes: [
      {
        name: 'name',
        spec: { name: 'gate' },
        probe: authorizer({ Name: 'gate' }),
        drift: {
          operation: 'UpdateAuthorizer',
          input: { ApiId: apiID, AuthorizerId: '{status.authorizerID}', Name: 'strange' },
        },
      },
    ],
    gone: authorizer(absent),
  },
]
