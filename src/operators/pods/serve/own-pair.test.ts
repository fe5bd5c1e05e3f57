// The AWS webhook with an authority of its own, by the flags and with the rights of its manifests, on an API server that enforces them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { drain, ManualClock, memoryFiles, type Seams, seededRandom, silentLog, systemKeys, systemNet } from '#base'
import { type KubeObject, mutatingWebhookConfigurations, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { Metrics } from '#runtime'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { readAwsProgram } from '../flags/settings.ts'
import { renderPodWebhookManifests } from '../manifests/render.ts'
import { awsServed } from './program.ts'
import { createPodWebhook } from './webhook.ts'

type Deployment = KubeObject & {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } }
  }
}
type Configuration = StoredObject & { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] }

const printed = renderPodWebhookManifests({ certificate: { kind: 'own' }, namespace: 'home', failurePolicy: 'Fail' })
const workloads = new Set(['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])

test('by the manifests with an authority of its own nobody else is needed: a pair is made and every webhook of theirs trusts it', async t => {
  const clock = new ManualClock()
  const objects = printed.filter(({ kind }) => !workloads.has(kind))
  const server = createApiServer({ seed: 1, clock, objects, controllers: 'none' })
  t.after(() => server.close())
  const clientOf = (exchange: ReturnType<typeof server.as>) => createKubeClient({ clock, address: 'embedded', exchange })
  const username = 'system:serviceaccount:home:pod-identity-webhook'
  const client = clientOf(server.as({ username, groups: ['system:serviceaccounts', 'system:authenticated'] }))
  const seams: Seams = {
    clock,
    random: seededRandom(1),
    keys: { ...systemKeys, generateEc: () => Promise.resolve(ecKey()) },
    net: systemNet,
    files: memoryFiles({}, () => 0),
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log: silentLog,
  }
  const metrics = new Metrics()
  const [container] = printed
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(object => (object as Deployment).spec.template.spec.containers)
  const program = readAwsProgram(container?.args ?? [])
  const webhook = createPodWebhook({ client, seams, settings: program.webhook, metrics })
  const served = awsServed(webhook, program, { client, seams, metrics, onFatal: () => {} })
  assert.equal(served.needsCertificateFirst, false)
  const pair = await served.certificate.first(new AbortController().signal)
  for (let turn = 0; turn < 10; turn++) await drain()
  const key = { namespace: '', name: 'pod-identity-webhook' }
  const { webhooks } = await clientOf(server.as()).get<Configuration>(mutatingWebhookConfigurations, key)
  assert.equal(webhooks.length, 2)
  for (const { clientConfig } of webhooks) assert.notEqual(clientConfig.caBundle ?? '', '')
  assert.match(pair.certificate, /BEGIN CERTIFICATE/)
})
