// How a Deployment asks a webhook whether it lives: too early, and a slow start is killed; too seldom, and reviews go to one that has stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upstreamWebhookImage, webhookContainer } from './api.ts'

const image = 'example.com/vouch/webhook:1'

test('with a port for health both probes ask it, and readiness often', () => {
  const { livenessProbe, readinessProbe } = webhookContainer({
    image,
    args: [],
    ports: { https: 8_443, health: 8_081 },
    mounts: [],
  })
  assert.deepEqual(livenessProbe, {
    httpGet: { path: '/healthz', port: 'health', scheme: 'HTTP' },
    initialDelaySeconds: 5,
    periodSeconds: 20,
    timeoutSeconds: 5,
    successThreshold: 1,
    failureThreshold: 3,
  })
  assert.deepEqual(readinessProbe, {
    httpGet: { path: '/readyz', port: 'health', scheme: 'HTTP' },
    periodSeconds: 2,
    timeoutSeconds: 2,
    successThreshold: 1,
    failureThreshold: 2,
  })
})

test('without one both ask the port of the reviews, as the webhook of AWS has it', () => {
  const { livenessProbe, readinessProbe } = webhookContainer({ image, args: [], ports: { https: 443 }, mounts: [] })
  const httpGet = { path: '/healthz', port: 'https', scheme: 'HTTPS' }
  const common = { httpGet, timeoutSeconds: 5, successThreshold: 1, failureThreshold: 3 }
  assert.deepEqual(livenessProbe, { ...common, initialDelaySeconds: 10, periodSeconds: 20 })
  assert.deepEqual(readinessProbe, { ...common, initialDelaySeconds: 5, periodSeconds: 10 })
})

for (const [https, capabilities] of [
  [1_023, { drop: ['ALL'], add: ['NET_BIND_SERVICE'] }],
  [1_024, { drop: ['ALL'] }],
] as const)
  test(`port ${https} is listened on with ${'add' in capabilities ? 'the one capability that it needs' : 'no capability'}`, () => {
    const { securityContext } = webhookContainer({ image, args: [], ports: { https }, mounts: [] })
    assert.deepEqual((securityContext as { readonly capabilities: unknown }).capabilities, capabilities)
  })

const security = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  seccompProfile: { type: 'RuntimeDefault' },
}
const told = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }

test('the container of this program writes nothing, is nobody in particular, and has its bounds of memory', () => {
  const ports = { https: 8_443, metrics: 9_999, health: 8_080 }
  const mounts = [{ name: 'cert', mountPath: '/certs' }]
  const { livenessProbe, readinessProbe, ...container } = webhookContainer({ image, args: ['--a'], ports, mounts })
  assert.deepEqual(container, {
    name: 'webhook',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/aws-pod-identity-webhook'],
    args: ['--a'],
    env: [{ name: 'NODE_OPTIONS', value: '--max-semi-space-size=4' }],
    ports: [
      { name: 'https', containerPort: 8_443, protocol: 'TCP' },
      { name: 'metrics', containerPort: 9_999, protocol: 'TCP' },
      { name: 'health', containerPort: 8_080, protocol: 'TCP' },
    ],
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: { ...security, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: 'cert', mountPath: '/certs', readOnly: true }],
    ...told,
  })
  assert.ok(livenessProbe !== undefined && readinessProbe !== undefined)
})

test('the container of upstream’s program is run as its manifests run it: no variables, no mounts, and a file system that it writes', () => {
  const { livenessProbe, readinessProbe, ...container } = webhookContainer({
    image: upstreamWebhookImage,
    args: [],
    ports: { https: 443 },
    mounts: [],
  })
  assert.deepEqual(container, {
    name: 'webhook',
    image: upstreamWebhookImage,
    imagePullPolicy: 'IfNotPresent',
    command: ['/webhook'],
    args: [],
    ports: [{ name: 'https', containerPort: 443, protocol: 'TCP' }],
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
    securityContext: { ...security, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } },
    ...told,
  })
  assert.ok(livenessProbe !== undefined && readinessProbe !== undefined)
})
