// The three versions of the kind through the storage of an API server that asks our webhooks over TLS, embedded and real; and a second operator
// beside the first.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  customResourceDefinitions,
  deployments,
  type KubeObject,
  leases,
  type StoredObject,
  validatingWebhookConfigurations,
} from '#kube'
import { KubeError } from '#kube/client'
import { type ApiVersionName, type ExternalDns, kinds, versions } from '../../src/operators/dns/api.ts'
import { type AnyDns, randomDns } from '../../src/operators/dns/testing/random-spec.fixture.ts'
import { embeddedCluster, realCluster } from './dns-operand/cluster.ts'
import { crossAccount } from './dns-operand/specs.ts'
import { type OperandWorld, openOperandWorld, operandNamespace } from './dns-operand/world.ts'
import { comesAbout } from './eventually.ts'
import { ownAddress } from './own-address.ts'
import { controlPlaneSkipped } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const noAddress = ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : undefined
const places = [
  { where: 'the embedded API server', openCluster: embeddedCluster, skipped: undefined },
  { where: 'a real kube-apiserver', openCluster: realCluster, skipped: noControlPlane },
]
const objectsEach = 6
/** Few of the newest version pass its strict schema. */
const triesMax = 90

for (const { where, openCluster, skipped } of places)
  describe(`ExternalDNS objects on ${where}`, { skip: skipped ?? noAddress ?? false }, () => {
    let world: OperandWorld
    before(async () => {
      world = await openOperandWorld({ program: process.execPath, version: '0.14.2', openCluster })
    })
    after(async () => {
      await world?.[Symbol.asyncDispose]()
    })

    it('the definition is taken as it is, and all three versions are served', async () => {
      const { admin } = world.cluster
      const key = { namespace: '', name: 'externaldnses.externaldns.olm.openshift.io' }
      const crd = await admin.get<Definition>(customResourceDefinitions, key)
      const said = Object.fromEntries((crd.status?.conditions ?? []).map(({ type, status }) => [type, status]))
      assert.deepEqual([said['NamesAccepted'], said['Established'], said['NonStructuralSchema']], ['True', 'True', undefined])
      const served = (await admin.discover()).filter(({ kind }) => kind === 'ExternalDNS').map(({ version }) => version)
      assert.deepEqual([...new Set(served)].sort(), [...versions].sort())
    })

    it('a second operator stays passive, and takes over without a second update [#94, 17.14]', async () => {
      const { admin } = world.cluster
      await world.secret('dns-keys', { aws_access_key_id: 'AKIAEXAMPLE', aws_secret_access_key: 'x' })
      await world.create('blue', crossAccount({ arn: 'arn:aws:iam::111111111111:role/dns' }, world.accounts.zone))
      const key = { namespace: operandNamespace, name: 'external-dns-blue' }
      await comesAbout(
        async () => (await admin.find(deployments, key)) !== undefined,
        () => 'no Deployment',
      )
      const holder = (): Promise<string | undefined> => holderOf(world)
      const first = await holder()
      await world.startAnother()
      assert.equal(await holder(), first)
      await world.stopOldest()
      await comesAbout(
        async () => ![undefined, '', first].includes(await holder()),
        async () => `the lease is still of ${await holder()}`,
      )
      await admin.delete(deployments, key)
      await comesAbout(
        async () => (await admin.find(deployments, key)) !== undefined,
        () => 'the new leader makes no Deployment',
      )
      assert.equal((await admin.get(deployments, key)).metadata.generation, 1)
    })

    for (const from of versions)
      it(`what is stored as ${from} comes back whole, whichever version it is read and written in`, async () => {
        await withoutJudge(world)
        const objects = fc.sample(randomDns(from), { numRuns: triesMax, seed: 18 })
        let taken = 0
        for (const [index, object] of objects.entries()) {
          if (taken === objectsEach) break
          const name = `${from}-${index}`
          const first = await tryToCreate(world, from, named(object, name))
          if (first === undefined) continue
          taken++
          for (const other of versions.filter(version => version !== from)) await writeBack(world, other, name)
          const again = await read(world, from, name)
          assert.deepEqual(again.spec, first.spec)
        }
        assert.equal(taken, objectsEach, 'so many passed the schema')
      })
  })

type Definition = StoredObject & {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}
type Lease = StoredObject & { readonly spec?: { readonly holderIdentity?: string } }

async function holderOf({ cluster: { admin } }: OperandWorld): Promise<string | undefined> {
  const { items } = await admin.listAll<Lease>(leases)
  return items.find(({ metadata }) => metadata.name === 'leaderelection.externaldns.olm.openshift.io')?.spec?.holderIdentity
}

/** Anything that passes the schema may be stored, as it may have been before there was a webhook. */
async function withoutJudge({ cluster: { admin } }: OperandWorld): Promise<void> {
  for (const { metadata } of (await admin.list(validatingWebhookConfigurations)).items)
    await admin.delete(validatingWebhookConfigurations, { namespace: '', name: metadata.name })
}

function named({ metadata: { annotations = {} }, ...object }: AnyDns, name: string): KubeObject {
  return { ...object, metadata: { name, annotations } }
}

async function tryToCreate(world: OperandWorld, version: ApiVersionName, object: KubeObject): Promise<ExternalDns | undefined> {
  const { admin } = world.cluster
  try {
    await admin.create(kinds[version].type, object)
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'Invalid') return undefined
    throw error
  }
  return await read(world, version, object.metadata.name ?? '')
}

function read({ cluster: { admin } }: OperandWorld, version: ApiVersionName, name: string): Promise<ExternalDns> {
  return admin.get<ExternalDns>(kinds[version].type, { namespace: '', name })
}

/** As a client of that version does that only touches a label; again where the operator wrote a status in between. */
async function writeBack(world: OperandWorld, version: ApiVersionName, name: string): Promise<void> {
  for (;;) {
    const held = await read(world, version, name)
    const labels = { ...held.metadata.labels, touched: version }
    try {
      await world.cluster.admin.update(kinds[version].type, { ...held, metadata: { ...held.metadata, labels } })
      return
    } catch (error) {
      if (!(error instanceof KubeError) || error.reason !== 'Conflict') throw error
    }
  }
}
