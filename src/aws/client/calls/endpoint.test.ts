import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACMClient, ListCertificatesCommand } from '@aws-sdk/client-acm'
import { EKSClient, ListClustersCommand } from '@aws-sdk/client-eks'
import { IAMClient, ListRolesCommand } from '@aws-sdk/client-iam'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { serviceModel } from '../../services/service-models.ts'
import { ClientConfigError, endpointFromEnvironment, resolveEndpoint } from './endpoint.ts'

interface AnyClient {
  send(command: unknown): Promise<unknown>
}

const clients = [
  ['acm', ACMClient, ListCertificatesCommand],
  ['eks', EKSClient, ListClustersCommand],
  ['iam', IAMClient, ListRolesCommand],
  ['route53', Route53Client, ListHostedZonesCommand],
  ['s3', S3Client, ListBucketsCommand],
  ['sts', STSClient, GetCallerIdentityCommand],
] as const

const regions = ['us-east-1', 'eu-west-1', 'cn-north-1', 'us-gov-west-1']
const variants = [{}, { fips: true }, { dualStack: true }] as const

for (const [service, Client, Command] of clients) {
  test(`${service} is reached and signed for where the SDK reaches it, in all partitions`, async () => {
    for (const region of regions) {
      for (const variant of variants) {
        const { fips = false, dualStack = false }: { fips?: boolean; dualStack?: boolean } = variant
        const theirs = await sdkEndpoint(Client as never, new (Command as new (input: object) => unknown)({}), {
          region,
          fips,
          dualStack,
        })
        // There is no such endpoint: the SDK refuses before it sends.
        if (theirs === undefined) continue
        const { url, signingRegion } = resolveEndpoint(serviceModel(service), { region, fips, dualStack })
        assert.deepEqual([url.host, signingRegion], theirs, `${region} ${JSON.stringify(variant)}`)
      }
    }
  })
}

async function sdkEndpoint(
  Client: new (options: object) => AnyClient,
  command: unknown,
  { region, fips, dualStack }: { readonly region: string; readonly fips: boolean; readonly dualStack: boolean },
): Promise<readonly [host: string, region: string | undefined] | undefined> {
  let seen: readonly [string, string | undefined] | undefined
  const client = new Client({
    region,
    useFipsEndpoint: fips,
    useDualstackEndpoint: dualStack,
    credentials: { accessKeyId: 'A', secretAccessKey: 'B' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: { hostname: string; headers: Record<string, string> }) => {
        seen = [request.hostname, /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers['authorization'] ?? '')?.[1]]
        throw new Error('seen')
      },
    },
  })
  await client.send(command).catch(() => {})
  return seen
}

test('an address of the caller wins, and keeps the signing region of a global service', () => {
  const { url, signingRegion, isCustom } = resolveEndpoint(serviceModel('iam'), {
    region: 'eu-west-1',
    endpoint: 'http://127.0.0.1:4566/x',
  })
  assert.deepEqual([url.href, signingRegion, isCustom], ['http://127.0.0.1:4566/x', 'us-east-1', true])
})

test('EKS Auth has its dual-stack name only', () => {
  assert.equal(resolveEndpoint(serviceModel('eks-auth'), { region: 'eu-west-1' }).url.host, 'eks-auth.eu-west-1.api.aws')
})

test('what is no region and what is no address are refused', () => {
  for (const region of ['', 'eu west', 'EU', 'a.evil.example/', 'x@y', '..']) {
    assert.throws(() => resolveEndpoint(serviceModel('iam'), { region }), ClientConfigError, region)
  }
  for (const endpoint of ['', 'localhost:80', 'ftp://x', 'http://x?y', 'http://x#y', '//x']) {
    assert.throws(() => resolveEndpoint(serviceModel('iam'), { region: 'eu-west-1', endpoint }), ClientConfigError, endpoint)
  }
})

test("the environment's endpoint of a service goes before the one for all", () => {
  const env = {
    AWS_ENDPOINT_URL: 'http://all',
    AWS_ENDPOINT_URL_ROUTE_53: 'http://dns',
    AWS_ENDPOINT_URL_RESOURCE_GROUPS_TAGGING_API: 'http://tags',
  }
  assert.deepEqual(
    ['IAM', 'Route 53', 'Resource Groups Tagging API'].map(id => endpointFromEnvironment(env, id)),
    ['http://all', 'http://dns', 'http://tags'],
  )
  assert.equal(endpointFromEnvironment({ ...env, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }, 'IAM'), undefined)
  assert.equal(endpointFromEnvironment({}, 'IAM'), undefined)
})
