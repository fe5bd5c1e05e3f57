// What other operators may know of the webhook: how it runs in a container. Whoever installs it, by manifests or on a cluster of a fleet, asks
// here, so that it is said once. All fields that a server would fill in are there: what is stored is what is wanted.

/** Upstream's program takes the same flags; an image of its name is run as upstream's is. */
export type WebhookProgram = 'vouch' | 'upstream'

export interface WebhookContainer {
  readonly name: 'webhook'
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env?: readonly object[]
  readonly ports: readonly object[]
  readonly [field: string]: unknown
}

export interface WebhookContainerChoices {
  readonly image: string
  readonly args: readonly string[]
  /** By name; `https` takes reviews. With a port `health` the probes go there, otherwise to the port of reviews. */
  readonly ports: Readonly<{ https: number; metrics?: number; health?: number }>
  readonly mounts: readonly { readonly name: string; readonly mountPath: string }[]
}

/** What the reference ships. */
export const upstreamWebhookImage = 'public.ecr.aws/eks/amazon-eks-pod-identity-webhook:v0.6.15'

export function ownWebhookImage(version: string): string {
  return `vouch:${version}`
}

/** By the last part of the image's name, which a mirror keeps. */
export function webhookProgramOf(image: string): WebhookProgram {
  const [name = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/)
  return name === 'amazon-eks-pod-identity-webhook' ? 'upstream' : 'vouch'
}

/**
 * Young garbage is most of what the process holds, and V8 lets its room for it double as long as memory is there: 105 MiB become 225 within
 * minutes at 500 reviews a second, with 14 of them live all the time. With this bound they stay 105, at no cost that shows.
 */
export const nodeOptions = '--max-semi-space-size=4'

interface Run {
  readonly command: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly memoryLimit: string
}

const runs: Readonly<Record<WebhookProgram, Run>> = {
  // What it needs with a few thousand ServiceAccounts is less; no limit below 160Mi would hold for fifty thousand [§10.3].
  vouch: {
    command: ['/usr/bin/aws-pod-identity-webhook'],
    env: [{ name: 'NODE_OPTIONS', value: nodeOptions }],
    memoryLimit: '256Mi',
  },
  upstream: { command: ['/webhook'], env: [], memoryLimit: '128Mi' },
}

/** Below it a process that is nobody in particular needs a capability to listen. */
const freePortMin = 1_024

export function webhookContainer({ image, args, ports, mounts }: WebhookContainerChoices): WebhookContainer {
  const { command, env, memoryLimit } = runs[webhookProgramOf(image)]
  return {
    name: 'webhook',
    image,
    imagePullPolicy: 'IfNotPresent',
    command,
    args,
    ...(env.length === 0 ? {} : { env }),
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })),
    ...probesOf(ports),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: memoryLimit } },
    securityContext: {
      allowPrivilegeEscalation: false,
      ...(ports.https < freePortMin
        ? { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }
        : { capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true }),
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts.map(mount => ({ ...mount, readOnly: true })) }),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  }
}

function probesOf({ health }: WebhookContainerChoices['ports']): object {
  const probe = { successThreshold: 1, failureThreshold: 3 }
  if (health === undefined) {
    const httpGet = { path: '/healthz', port: 'https', scheme: 'HTTPS' }
    return {
      livenessProbe: { ...probe, httpGet, timeoutSeconds: 5, initialDelaySeconds: 10, periodSeconds: 20 },
      readinessProbe: { ...probe, httpGet, timeoutSeconds: 5, initialDelaySeconds: 5, periodSeconds: 10 },
    }
  }
  const get = (path: string): object => ({ path, port: 'health', scheme: 'HTTP' })
  return {
    livenessProbe: { ...probe, httpGet: get('/healthz'), timeoutSeconds: 5, initialDelaySeconds: 5, periodSeconds: 20 },
    // Twice in four seconds: what is told to stop gets no more reviews soon.
    readinessProbe: { ...probe, httpGet: get('/readyz'), timeoutSeconds: 2, periodSeconds: 2, failureThreshold: 2 },
  }
}
