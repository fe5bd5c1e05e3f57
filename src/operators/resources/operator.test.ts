// What the operator says of itself to whoever renders manifests, and what it brings to a process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, parseFlags, seededRandom, silentLog } from '#base'
import { Metrics } from '#runtime'
import { flagGroups, readResourceFlags } from './flags.ts'
import { resourcesOperator } from './operator.ts'
import { shippedService } from './services/shipped.ts'

const here = ['--aws-region=eu-west-1', '--services=iam', '--aws-account-id=111122223333']
const inferred = [shippedService('s3')]
const operator = resourcesOperator(() => Promise.resolve(inferred))

function settingsOf(args: readonly string[]) {
  const flags = flagGroups.flatMap(group => group.flags)
  return readResourceFlags(parseFlags(flags, args, new Map()), { workers: 3, env: {} })
}

const place = { name: 'vouch', namespace: 'vouch', labels: {}, files: {} }
const needsOf = (...args: readonly string[]) => operator.describe(settingsOf([...here, ...args]), place)

test('without a region nothing is described', () =>
  assert.rejects(operator.describe(settingsOf(['--services=iam']), place), {
    message: 'the operator resources needs --aws-region: the region in which it makes what is asked for',
  }))

test('the CRDs of what is served are needed, but where the process installs them itself', async () => {
  const kinds = async (...args: readonly string[]) => (await needsOf(...args)).crds.map(({ spec }) => spec.names.kind)
  assert.ok((await kinds()).includes('Role'))
  assert.deepEqual([(await kinds()).includes('Bucket'), (await kinds('--models=/m')).includes('Bucket')], [false, true])
  assert.deepEqual(await kinds('--install-crds'), [])
})

test('a process that installs CRDs has the right to', async () => {
  const creates = async (...args: readonly string[]) =>
    JSON.stringify((await needsOf(...args)).rights.cluster).includes('customresourcedefinitions')
  assert.deepEqual(
    [await creates(), await creates('--install-crds'), await creates('--migrate-stored-versions')],
    [false, true, true],
  )
})

test('a webhook is asked for where manifests are checked', async () => {
  assert.deepEqual((await needsOf()).webhooks, [])
  const [webhook, ...more] = (await needsOf('--manifest-checks=warn')).webhooks ?? []
  assert.deepEqual([webhook?.suffix, more], ['resources', []])
  const served = { namespace: 'vouch', name: 'vouch', user: 'u', caBundle: 'x' }
  assert.equal(webhook?.configuration(served as never).kind, 'ValidatingWebhookConfiguration')
})

async function started(...args: readonly string[]) {
  const installed: unknown[] = []
  let under = 0
  let together = 0
  const client = {
    patch: async (
      type: { readonly kind: string },
      key: { readonly namespace: string; readonly name: string },
      kind: string,
      _body: object,
      options: object,
    ) => {
      together = Math.max(together, ++under)
      await new Promise(resolve => setImmediate(resolve))
      under -= 1
      installed.push([type.kind, key.namespace, key.name, kind, options])
    },
  }
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }
  const seams = {
    clock: new ManualClock(),
    random: seededRandom(1),
    log: silentLog,
    env: keys,
    net: { dial: () => assert.fail('nobody is called') },
  }
  const context = { seams, client, metrics: new Metrics(), version: '1', build: { commit: 'c', date: 'd' } }
  const running = await operator.start(settingsOf([...here, ...args]), context as never)
  await running.close?.()
  return { running, installed, together }
}

test('a process brings a controller for each kind, and asks for nothing more', async () => {
  const { running, installed } = await started('--reconcile-resources=Role')
  assert.deepEqual(
    running.controllers.map(({ claims }) => claims.type.plural),
    ['roles', 'fieldexports'],
  )
  assert.deepEqual([running.companions?.length, running.webhooks, installed], [1, {}, []])
})

test('CRDs are installed one after the other, over what is there already', async () => {
  const { installed, together } = await started('--install-crds', '--models=/m')
  const options = { fieldManager: 'vouch-install', force: true }
  const of = (name: string) => ['CustomResourceDefinition', '', name, 'apply', options]
  assert.deepEqual(
    [installed[0], installed.at(-1), together],
    [of('fieldexports.services.k8s.aws'), of('buckets.s3.services.k8s.aws'), 1],
  )
})

test('stored versions are migrated, and manifests checked, where it is asked for', async () => {
  const { running } = await started('--migrate-stored-versions', '--manifest-checks=deny')
  assert.equal(running.companions?.length, 2)
  assert.ok(Object.keys(running.webhooks ?? {}).length > 0)
})

test('what cannot be started leaves no connection behind', async () => {
  const dialled: string[] = []
  let closed = 0
  const exchange = () => Promise.reject(new Error('no route'))
  const net = {
    dial: ({ origin }: { readonly origin: string }) => {
      dialled.push(origin)
      return {
        exchange,
        close: async () => {
          await new Promise(resolve => setImmediate(resolve))
          closed += 1
        },
      }
    },
  }
  const clock = new ManualClock()
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }
  const seams = { clock, random: seededRandom(1), log: silentLog, env: keys, net }
  const context = { seams, client: {}, metrics: new Metrics(), version: '1', build: { commit: 'c', date: 'd' } }
  const starting = operator.start(settingsOf(['--aws-region=eu-west-1', '--services=iam']), context as never) as Promise<unknown>
  const ended = starting.then(
    () => assert.fail('it started'),
    (error: Error) => [error.message.split(' (')[0], closed],
  )
  for (let second = 0; second < 120 && closed === 0; second++) {
    await clock.advance(1_000)
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.deepEqual(await ended, ['AWS does not say whose account this is', 1])
  assert.equal(dialled.length, 1)
})

const flagOf = (name: string) => operator.shaping?.find(each => each.flag === name)
test('which flags shape manifests is said, with the values that they have', () => {
  assert.deepEqual(flagOf('services'), { kind: 'list', flag: 'services', items: ['acm', 'eks', 'iam', 'route53', 's3'] })
  assert.equal(operator.required?.[0]?.flag, 'aws-region')
})
