import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownWebhookImage, upstreamWebhookImage, webhookContainer, webhookProgramOf } from './api.ts'

test('an image is run as what its name says it is, wherever it is kept', () => {
  const mirror = 'registry.example:5000/mirror/amazon-eks-pod-identity-webhook'
  for (const image of [upstreamWebhookImage, mirror, `${mirror}:v1`, `${mirror}@sha256:00`])
    assert.equal(webhookProgramOf(image), 'upstream', image)
  for (const image of [
    ownWebhookImage('1.2.3'),
    'vouch',
    'registry.example:5000/vouch@sha256:00',
    'amazon-eks-pod-identity-webhook/vouch',
  ])
    assert.equal(webhookProgramOf(image), 'vouch', image)
})

test('a container that listens below 1024 has the capability for it, and no other has', () => {
  const securityOf = (https: number): unknown => {
    const { securityContext } = webhookContainer({ image: 'vouch', args: [], ports: { https }, mounts: [] })
    return (securityContext as { capabilities: unknown }).capabilities
  }
  assert.deepEqual(securityOf(443), { drop: ['ALL'], add: ['NET_BIND_SERVICE'] })
  assert.deepEqual(securityOf(1_024), { drop: ['ALL'] })
})
