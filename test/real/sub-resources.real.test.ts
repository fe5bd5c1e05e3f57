// Entries below a resource, as the guide on inferred kinds declares them of IAM's groups, against moto: each is put and taken away by itself.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createApiServer } from '#apiserver'
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import { silentLog, systemClock, systemNet, systemRandom } from '#base'
import { crdOf, inferService, readGeneratorConfig, readModel, resourceService } from '#crdgen'
import type { KubeObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator, type Resource, type ServiceWithKinds } from '#operators/resources'
import { createManager } from '#runtime'
import { comesAbout } from './eventually.ts'
import { botocoreData } from './programs/botocore-data.ts'
import { startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const page = readFileSync(join(import.meta.dirname, '../../docs/guides/infer-kinds.md'), 'utf8')
const patienceMs = 120_000
const document = (action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })

/** With the config that stands on the page, under another alias: groups of the alias iam have a deviation that looks after the same fields. */
function groups(data: string): ServiceWithKinds & { readonly model: ReturnType<typeof readModel> } {
  const config = /```yaml\n(resources:\n {2}Group:\n[\s\S]*?)```/.exec(page)?.[1]
  assert.ok(config !== undefined, 'the page declares entries of groups')
  const folder = join(data, 'iam')
  const file = join(folder, readdirSync(folder).sort().at(-1) ?? '', 'service-2.json.gz')
  const model = readModel(gunzipSync(readFileSync(file)), { file })
  const service = inferService(model, { alias: 'people', loaded: readGeneratorConfig(config, 'generator.yaml') })
  const kinds = service.kinds.filter(({ kind }) => kind === 'Group')
  return {
    model,
    service: resourceService(service, { kinds, madeOf: { model: '', config, program: '' } }),
    crds: kinds.map(kind => crdOf(service, kind)) as unknown as ServiceWithKinds['crds'],
  }
}

const skip = 'missing' in python ? python.missing : false
test('entries of a group are put, changed and taken away one by one, and before it goes [9.28]', { skip }, async () => {
  const held = python as Python
  const inferred = groups(botocoreData(held))
  const moto = await startMoto(held)
  const transport = netTransport(systemNet)
  const seams = { clock: systemClock, random: systemRandom, log: silentLog }
  const credentials = staticCredentials({ accessKeyId: 'test', secretAccessKey: 'test' })
  const aws = new AwsClients({ credentials, transport, endpointOf: () => moto.url, ...seams })
  const server = createApiServer({ objects: inferred.crds })
  const kube = createKubeClient({ clock: systemClock, address: 'test', exchange: server.as() })
  const { kinds, controllers, companions } = createResourcesOperator({
    services: [inferred.service],
    aws,
    home: { account: '123456789012', partition: 'aws', region: 'us-east-1' },
    nowMs: () => systemClock.now(),
    fieldExport: false,
  })
  const [type] = kinds.map(each => each.type)
  assert.ok(type)
  const stop = new AbortController()
  const run = createManager({ client: kube, seams, controllers, companions, identity: 'test' }).run(stop.signal)
  const iam = aws.for({ model: inferred.model, region: 'us-east-1' })
  const policies = async (): Promise<string> => {
    const list = async (operation: string, member: string): Promise<readonly unknown[]> =>
      ((await iam.call(operation, { GroupName: 'readers' })) as Readonly<Record<string, readonly unknown[]>>)[member] ?? []
    const attached = (await list('ListAttachedGroupPolicies', 'AttachedPolicies')) as readonly { readonly PolicyName: string }[]
    return [...(await list('ListGroupPolicies', 'PolicyNames')), ...attached.map(each => each.PolicyName)]
      .map(String)
      .sort()
      .join()
  }
  const become = (wanted: string): Promise<void> =>
    comesAbout(
      async () => (await policies().catch(() => 'nothing')) === wanted,
      async () =>
        `the group has ${wanted}: ${JSON.stringify((await kube.find<Resource>(type, key))?.status)} ${await policies().catch(String)}`,
      patienceMs,
    )
  const key = { namespace: 'default', name: 'readers' }
  try {
    const { arn } = await iam
      .call('CreatePolicy', { PolicyName: 'shared', PolicyDocument: document('s3:Get*') })
      .then(made => ({ arn: (made as { readonly Policy: { readonly Arn: string } }).Policy.Arn }))
    const spec = { groupName: 'readers', inlinePolicies: { one: document('s3:*'), two: document('sqs:*') }, policies: [arn] }
    await kube.create(type, { apiVersion: `${type.group}/${type.version}`, kind: 'Group', metadata: key, spec } as KubeObject)
    await become('one,shared,two')
    await kube.patch(type, key, 'merge', { spec: { inlinePolicies: { two: null, three: document('sns:*') } } })
    await become('one,shared,three')
    await kube.patch(type, key, 'merge', { spec: { policies: [] } })
    await become('one,three')
    await kube.delete(type, key)
    await comesAbout(
      async () => (await kube.find(type, key)) === undefined,
      async () => JSON.stringify(await kube.find(type, key)),
      patienceMs,
    )
    await assert.rejects(policies(), { code: 'NoSuchEntity' })
  } finally {
    stop.abort(new Error('enough'))
    await run
    await server.close()
    await transport.close()
    await moto.stop()
  }
})
