// The odd reviews of parity.fixture.ts, asked of the webhook as a whole, in both versions of the review (G-01).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain } from '#base'
import { applyJsonPatch } from '#kube'
import { readAwsProgram } from '../flags/settings.ts'
import { askReview, openWebhook, patchOf } from '../serve/webhook-world.fixture.ts'
import { type ParityCase, parityCases } from './parity.fixture.ts'

const credentials = '/etc/credentials.json'

for (const one of parityCases) {
  test(`parity: ${one.name}`, async t => {
    const flags = one.flags?.map(flag => flag.replace('CREDENTIALS', credentials)) ?? []
    const { webhook } = readAwsProgram(flags)
    const world = await openWebhook(t, webhook, {
      prepare: cluster => {
        if (one.account !== null) cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: annotationsOf(one) } })
        if (one.entries !== undefined)
          cluster.put('ConfigMap', 'eks/pod-identity-webhook', { data: { config: JSON.stringify(one.entries) } })
      },
    })
    await world.files.write(credentials, JSON.stringify({ identities: one.listed?.map(identityOf) ?? [] }))
    await world.clock.advance(1_000)
    await drain()
    for (const version of ['v1', 'v1beta1']) {
      const { apiVersion, kind, response } = await askReview(world.webhook, { object: one.pod, ...one.request }, { version })
      assert.deepEqual([apiVersion, kind, response.uid], [`admission.k8s.io/${version}`, 'AdmissionReview', 'u'])
      assert.equal(response.allowed, true)
      const patch = patchOf(response)
      assert.equal(response.patchType, patch && 'JSONPatch')
      assert.deepEqual(applyJsonPatch(structuredClone(one.pod), patch ?? []), JSON.parse(JSON.stringify(one.expected ?? one.pod)))
    }
  })
}

function annotationsOf({ account }: ParityCase): object {
  return Object.fromEntries(Object.entries(account ?? {}).map(([name, value]) => [`eks.amazonaws.com/${name}`, value]))
}

function identityOf(name: string): object {
  return { namespace: 'ns1', serviceAccount: name }
}
