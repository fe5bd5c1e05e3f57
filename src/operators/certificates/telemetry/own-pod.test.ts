import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { HttpFailure, ManualClock, memoryFiles, seededRandom, silentLog, systemClock } from '#base'
import { type EventObject, events } from '#kube'
import { createKubeClient } from '#kube/client'
import { type CertificatesOptions, createCertificatesOperator } from '../create-operator.ts'
import { findOwnPod, podEvents } from './own-pod.ts'

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace'
const inCluster = { HOSTNAME: 'vouch-7d9-x2', KUBERNETES_SERVICE_HOST: '10.0.0.1' }

test('the operator knows its own Pod inside a cluster, and none elsewhere', async () => {
  const files = memoryFiles()
  assert.equal(await findOwnPod({ env: inCluster, files }), undefined)
  await files.write(namespaceFile, 'vouch-system\n')
  assert.deepEqual(await findOwnPod({ env: inCluster, files }), { namespace: 'vouch-system', name: 'vouch-7d9-x2' })
  assert.equal(await findOwnPod({ env: { HOSTNAME: 'laptop' }, files }), undefined)
  assert.equal(await findOwnPod({ env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, files }), undefined)
})

test('an open breaker is an Event on the Pod, counted when it opens again, and a refusal of it fails nothing [9.5]', async () => {
  const server = createApiServer()
  const client = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const said = { type: 'Warning', reason: 'AWSCircuitOpen', message: 'acm of AWS does not answer' } as const
  const clock = new ManualClock()
  const tell = podEvents({ client, pod: { namespace: 'default', name: 'vouch-0' }, component: 'cert', clock, log: silentLog })
  const told = async (): Promise<readonly EventObject[]> =>
    (await client.list<EventObject>(events, { namespace: 'default' })).items
  const count = async (wanted: number): Promise<EventObject> => {
    for (let turn = 0; turn < 1_000; turn++) {
      const [event] = await told()
      if (event !== undefined && (event.count ?? 0) >= wanted) return event
      await new Promise(setImmediate)
    }
    return assert.fail(`the event is not told ${wanted} times`)
  }
  tell(said)
  const { involvedObject, reason, type } = await count(1)
  assert.deepEqual([involvedObject.kind, involvedObject.name, reason, type], ['Pod', 'vouch-0', 'AWSCircuitOpen', 'Warning'])
  tell(said)
  await count(2)
  tell(said)
  await count(3)
  assert.equal((await told()).length, 1)
  podEvents({ client, pod: undefined, component: 'cert', clock, log: silentLog })(said)
  const warned: string[] = []
  const log = { ...silentLog, warn: (text: string) => void warned.push(text) }
  podEvents({ client, pod: { namespace: 'nowhere', name: 'vouch-0' }, component: 'cert', clock, log })(said)
  for (let turn = 0; turn < 1_000 && warned.length === 0; turn++) await new Promise(setImmediate)
  assert.equal(warned.length, 1)
  assert.equal((await told()).length, 1)
  await server.close()
})

test('whoever assembles the operator is told of a service that does not answer, once for each time that it is left alone [9.5]', async () => {
  const told: string[] = []
  const clients = { for: () => ({ send: () => Promise.reject(new HttpFailure('timeout', 'no answer')) }) }
  const { cloud } = createCertificatesOperator({
    seams: { clock: new ManualClock(), random: seededRandom('outage'), log: silentLog },
    clients: clients as unknown as CertificatesOptions['clients'],
    region: 'eu-west-1',
    zones: {} as CertificatesOptions['zones'],
    layers: { rates: undefined, retry: undefined },
    onOutage: service => told.push(service),
  })
  const arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/a'
  for (let call = 0; call < 8; call++)
    await assert.rejects(cloud.tags(arn, new AbortController().signal), /no answer|is not called/)
  assert.deepEqual(told, ['acm'])
})
