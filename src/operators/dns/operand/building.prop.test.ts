// What holds of every Deployment of an operand, whatever the object says [20.2].
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { deployments, type StoredObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { versions } from '../api/names.ts'
import { modelOf } from '../convert/convert.ts'
import { randomDns } from '../testing/random-spec.fixture.ts'
import { missingCapability } from './capabilities.ts'
import { buildDeployment, type Deployment } from './deployment.ts'
import { repaired } from './drift.ts'
import { type OperandRequest, plainKubernetes } from './request.ts'

const zoneTexts = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{1,12}$/), { maxLength: 10 })
const operandVersions = fc.constantFrom('0.13.6', '0.14.2', '0.22.0', '0.23.0')

const requests: fc.Arbitrary<OperandRequest> = fc
  .record({
    object: fc.oneof(...versions.map(randomDns)),
    zones: zoneTexts,
    operandVersion: operandVersions,
    isOpenShift: fc.boolean(),
    type: fc.constantFrom('', 'AWS', 'GCP'),
    trustedCaHash: fc.constantFrom(undefined, 'c0ffee'),
    proxy: fc.constantFrom({}, { HTTPS_PROXY: 'http://proxy.example.com:3128', NO_PROXY: '.svc' }),
    hash: fc.constantFrom('', 'h1'),
    isRoleByZone: fc.boolean(),
  })
  .map(({ object, zones, operandVersion, isOpenShift, type, trustedCaHash, proxy, hash, isRoleByZone }) => ({
    name: 'blue',
    uid: 'u-1',
    namespace: 'default',
    model: modelOf(object),
    zones,
    zoneRoles: isRoleByZone && zones[0] !== undefined ? { [zones[0]]: 'arn:aws:iam::111122223333:role/zone' } : {},
    ownerId: 'external-dns-blue',
    platform: { ...plainKubernetes, isOpenShift, type },
    image: 'registry.example.com/external-dns:v1',
    operandVersion,
    secret: { name: 'external-dns-credentials-blue', hash },
    trustedCaHash,
    proxy,
    metricsHost: '127.0.0.1',
  }))

function deploymentOf(request: OperandRequest): Deployment | undefined {
  const built = buildDeployment(request)
  return 'deployment' in built ? built.deployment : undefined
}

function assertDistinct(values: readonly string[], what: string): void {
  assert.equal(new Set(values).size, values.length, `${what}: ${values.join()}`)
}

test('containers, ports and volumes have names of their own, every mount has a volume, and the same request builds the same [20.2]', () => {
  let built = 0
  fc.assert(
    fc.property(requests, request => {
      const deployment = deploymentOf(request)
      assert.deepEqual(deploymentOf(structuredClone(request)), deployment)
      if (deployment === undefined) return
      built++
      const { containers, volumes = [] } = deployment.spec.template.spec
      assertDistinct(
        containers.map(({ name }) => name),
        'names',
      )
      assertDistinct(
        containers.map(({ args = [] }) => args.filter(text => text.startsWith('--metrics-address=')).join()),
        'addresses of metrics',
      )
      assertDistinct(
        volumes.map(({ name }) => name),
        'volumes',
      )
      for (const { name, args = [], env = [], volumeMounts = [] } of containers) {
        assert.match(name, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
        assertDistinct(
          env.map(({ name: variable }) => variable),
          'variables',
        )
        assertDistinct(
          volumeMounts.map(({ mountPath }) => mountPath),
          'mounts',
        )
        for (const mount of volumeMounts)
          assert.ok(
            volumes.some(volume => volume.name === mount.name),
            mount.name,
          )
        for (const text of args) assert.match(text, /^--[a-z][a-z0-9-]*(?:=[^]*)?$/, text)
        assert.doesNotMatch(args.join(' '), /undefined|\[object/)
      }
    }),
    { numRuns: 400 },
  )
  assert.ok(built > 200, `${built} were built`)
})

test('what this version of the operand cannot do is told by name, and nothing else is [20.2]', () => {
  const told = new Set<string>()
  fc.assert(
    fc.property(requests, request => {
      const [first] = deploymentOf(request)?.spec.template.spec.containers ?? []
      const args = first?.args ?? []
      const missing = missingCapability(request.operandVersion, args)
      if (missing !== undefined) told.add(missing.replace(/ (?:needs|is gone).*/, ''))
      const { type, aws } = request.model.spec.provider
      const isGone = ['BlueCat', 'Infoblox'].includes(type) && request.operandVersion.startsWith('0.2') && args.length > 0
      assert.equal(missing !== undefined, isGone, `${type} ${request.operandVersion} ${JSON.stringify(aws)}: ${missing}`)
    }),
    { numRuns: 400 },
  )
  assert.deepEqual([...told].toSorted(), ['the provider BlueCat', 'the provider Infoblox'])
})

test('no Deployment differs from itself, be it as built or with what an API server filled in [20.2]', async () => {
  const server = createApiServer()
  const client = createKubeClient({ clock: systemClock, address: 'here', exchange: server.as() })
  try {
    let stored = 0
    await fc.assert(
      fc.asyncProperty(requests, async request => {
        const deployment = deploymentOf(request)
        if (deployment === undefined) return
        assert.equal(repaired(deployment.spec, deployment.spec), undefined)
        const held = await storedAs(client, deployment)
        if (held === undefined) return
        stored++
        assert.equal(repaired(held.spec, deployment.spec), undefined, JSON.stringify(held.spec))
      }),
      { numRuns: 100 },
    )
    assert.ok(stored > 40, `${stored} were stored`)
  } finally {
    await server.close()
  }
})

/** As the API server gives it back; undefined where random words are no valid Deployment. */
async function storedAs(client: KubeClient, deployment: Deployment): Promise<(Deployment & StoredObject) | undefined> {
  const key = { namespace: 'default', name: deployment.metadata.name ?? '' }
  try {
    await client.create(deployments, deployment)
  } catch (error) {
    assert.match(String(error), /Invalid|invalid/)
    return undefined
  }
  const held = await client.get<Deployment & StoredObject>(deployments, key)
  await client.delete(deployments, key)
  return held
}
