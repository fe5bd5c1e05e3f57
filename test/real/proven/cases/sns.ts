import type { KindCase, Probe } from '../case.ts'

const application = 'arn:aws:sns:us-east-1:123456789012:app/APNS/app'
const endpoint = (says: object): Probe => ({
  operation: 'GetEndpointAttributes',
  input: { EndpointArn: '{status.ackResourceMetadata.arn}' },
  says: { Attributes: says },
})

export const endpointCases: readonly KindCase[] = [
  {
    service: 'sns',
    kind: 'PlatformEndpoint',
    needs: [['sns', 'CreatePlatformApplication', { Name: 'app', Platform: 'APNS', Attributes: { PlatformCredential: 'c' } }]],
    spec: { platformApplicationARN: application, token: 'device', customUserData: 'one' },
    made: endpoint({ CustomUserData: 'one' }),
    changes: [
      {
        name: 'customUserData',
        spec: { customUserData: 'two' },
        probe: endpoint({ CustomUserData: 'two' }),
        drift: {
          operation: 'SetEndpointAttributes',
          input: { EndpointArn: '{status.ackResourceMetadata.arn}', Attributes: { CustomUserData: 'three' } },
        },
      },
    ],
    gone: {
      operation: 'ListEndpointsByPlatformApplication',
      input: { PlatformApplicationArn: application },
      says: { Endpoints: [] },
    },
  },
]
