import type { KindCase, Probe } from '../case.ts'

const front: NonNullable<KindCase['needs']> = [['apigatewayv2', 'CreateApi', { Name: 'front', ProtocolType: 'HTTP' }]]
const apiID = '{needed.0.ApiId}'
const authorizer = (says: object): Probe => ({
  operation: 'GetAuthorizer',
  input: { ApiId: apiID, AuthorizerId: '{status.authorizerID}' },
  says,
})
const shop = { kind: 'API', name: 'shop', spec: { name: 'shop', protocolType: 'HTTP' } }
const apiArn = 'arn:aws:apigateway:us-east-1::/apis/{status.apiID}'
const api = (says: object): Probe => ({ operation: 'GetApi', input: { ApiId: '{status.apiID}' }, says })
const integration = (says: object): Probe => ({
  operation: 'GetIntegration',
  input: { ApiId: '{others.shop.status.apiID}', IntegrationId: '{status.integrationID}' },
  says,
})
const route = (says: object): Probe => ({
  operation: 'GetRoute',
  input: { ApiId: apiID, RouteId: '{status.routeID}' },
  says,
})
const stage = (says: object): Probe => ({ operation: 'GetStage', input: { ApiId: apiID, StageName: 'live' }, says })
const link = (says: object): Probe => ({ operation: 'GetVpcLink', input: { VpcLinkId: '{status.vpcLinkID}' }, says })
const domain = (says: object): Probe => ({ operation: 'GetDomainName', input: { DomainName: 'api.example.com' }, says })
const mapping = (says: object): Probe => ({
  operation: 'GetApiMapping',
  input: { ApiMappingId: '{status.apiMappingID}', DomainName: 'api.example.com' },
  says,
})
const absent = { error: /NotFoundException/ }

export const gatewayCases: readonly KindCase[] = [
  {
    service: 'apigatewayv2',
    kind: 'Authorizer',
    needs: front,
    cannot: {
      create: 'moto does not list authorizers, and none is made before those that are there were counted',
      delete: 'of what was not made',
    },
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
  {
    service: 'apigatewayv2',
    kind: 'API',
    spec: { name: 'shop', protocolType: 'HTTP', description: 'one' },
    made: api({ Name: 'shop', Description: 'one' }),
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: api({ Description: 'two' }),
        drift: { operation: 'UpdateApi', input: { ApiId: '{status.apiID}', Description: 'strange' } },
      },
      { name: 'name', spec: { name: 'market' }, probe: api({ Name: 'market' }) },
      {
        name: 'corsConfiguration',
        spec: { corsConfiguration: { allowOrigins: ['https://a.example'] } },
        probe: api({ CorsConfiguration: { AllowOrigins: ['https://a.example'] } }),
      },
      { name: 'version', spec: { version: '2' }, probe: api({ Version: '2' }) },
      {
        name: 'tags',
        spec: { tags: { team: 'red' } },
        probe: api({ Tags: { team: 'red' } }),
        drift: { operation: 'TagResource', input: { ResourceArn: apiArn, Tags: { team: 'strange' } } },
      },
    ],
    gone: api(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'Integration',
    others: [shop],
    ids: { apiID: '{others.shop.status.apiID}' },
    spec: {
      apiRef: { from: { name: 'shop' } },
      integrationType: 'HTTP_PROXY',
      integrationMethod: 'GET',
      integrationURI: 'https://a.example',
      payloadFormatVersion: '1.0',
      description: 'one',
    },
    made: integration({ IntegrationUri: 'https://a.example', Description: 'one' }),
    changes: [
      {
        name: 'integrationURI',
        spec: { integrationURI: 'https://b.example' },
        probe: integration({ IntegrationUri: 'https://b.example' }),
        drift: {
          operation: 'UpdateIntegration',
          input: {
            ApiId: '{others.shop.status.apiID}',
            IntegrationId: '{status.integrationID}',
            IntegrationUri: 'https://strange.example',
          },
        },
      },
      { name: 'description', spec: { description: 'two' }, probe: integration({ Description: 'two' }) },
      { name: 'integrationMethod', spec: { integrationMethod: 'POST' }, probe: integration({ IntegrationMethod: 'POST' }) },
      { name: 'timeoutInMillis', spec: { timeoutInMillis: 2000 }, probe: integration({ TimeoutInMillis: 2000 }) },
    ],
    gone: integration(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'Route',
    needs: front,
    spec: { apiID, routeKey: 'GET /orders', operationName: 'one' },
    made: route({ RouteKey: 'GET /orders', OperationName: 'one' }),
    changes: [
      {
        name: 'routeKey',
        spec: { routeKey: 'GET /bills' },
        probe: route({ RouteKey: 'GET /bills' }),
        drift: { operation: 'UpdateRoute', input: { ApiId: apiID, RouteId: '{status.routeID}', RouteKey: 'GET /strange' } },
      },
      { name: 'operationName', spec: { operationName: 'two' }, probe: route({ OperationName: 'two' }) },
      { name: 'apiKeyRequired', spec: { apiKeyRequired: true }, probe: route({ ApiKeyRequired: true }) },
    ],
    gone: route(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'Stage',
    needs: front,
    cannot: { adoption: 'moto takes no tags of a stage that is there' },
    spec: { apiID, stageName: 'live', description: 'one' },
    made: stage({ StageName: 'live' }),
    gone: stage(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'VPCLink',
    needs: [
      ['ec2', 'CreateVpc', { CidrBlock: '10.0.0.0/16' }],
      ['ec2', 'CreateSubnet', { VpcId: '{needed.0.Vpc.VpcId}', CidrBlock: '10.0.1.0/24' }],
    ],
    spec: { name: 'inside', subnetIDs: ['{needed.1.Subnet.SubnetId}'] },
    made: link({ Name: 'inside' }),
    changes: [
      {
        name: 'name',
        spec: { name: 'within' },
        probe: link({ Name: 'within' }),
        drift: { operation: 'UpdateVpcLink', input: { VpcLinkId: '{status.vpcLinkID}', Name: 'strange' } },
      },
      { name: 'tags', spec: { tags: { team: 'red' } }, probe: link({ Tags: { team: 'red' } }) },
    ],
    gone: link(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'DomainName',
    spec: { domainName: 'api.example.com', domainNameConfigurations: [{ endpointType: 'REGIONAL' }] },
    made: domain({ DomainName: 'api.example.com' }),
    gone: domain(absent),
  },
  {
    service: 'apigatewayv2',
    kind: 'APIMapping',
    needs: [
      ...front,
      ['apigatewayv2', 'CreateStage', { ApiId: apiID, StageName: 'live' }],
      ['apigatewayv2', 'CreateDomainName', { DomainName: 'api.example.com' }],
    ],
    spec: { apiID, domainName: 'api.example.com', stage: 'live', apiMappingKey: 'v1' },
    made: mapping({ Stage: 'live', ApiMappingKey: 'v1' }),
    gone: mapping(absent),
  },
]
