// What a person may decide about how a process of operators is installed: the values of its chart, with their defaults. `vouch render` and
// Helm read the same, so that what they print is the same.
import type { Labels } from '#kube'

export type { Labels }

/** What Kubernetes defines and we only pass on. */
export type Passed = Readonly<Record<string, unknown>>

export interface ProcessValues {
  readonly global: { readonly imageRegistry: string; readonly imagePullSecrets: readonly string[] }
  readonly nameOverride: string
  readonly fullnameOverride: string
  readonly namespaceOverride: string
  readonly clusterDomain: string
  readonly commonLabels: Labels
  readonly commonAnnotations: Labels
  readonly image: ImageValues
  readonly replicaCount: number
  readonly revisionHistoryLimit: number
  readonly updateStrategy: Passed
  readonly operator: {
    /** `namespace`: where the leases are; empty for where the process runs. `shards`: replicas share the work; 0 for one leader. */
    readonly leaderElection: { readonly enabled: boolean; readonly namespace: string; readonly shards: number }
    readonly extraArgs: readonly string[]
  }
  readonly crds: { readonly install: boolean }
  readonly serviceAccount: {
    readonly create: boolean
    readonly name: string
    readonly annotations: Labels
    readonly labels: Labels
  }
  readonly rbac: { readonly annotations: Labels; readonly extraRules: readonly Passed[] }
  readonly webhookCertificate: WebhookCertificateValues
  readonly metrics: {
    readonly containerPort: number
    readonly service: {
      readonly enabled: boolean
      readonly type: string
      readonly port: number
      readonly annotations: Labels
    }
  }
  readonly serviceMonitor: ServiceMonitorValues
  readonly containerPorts: { readonly webhook: number; readonly health: number }
  readonly livenessProbe: ProbeValues
  readonly readinessProbe: ProbeValues
  readonly resources: Passed
  readonly podSecurityContext: Passed & { readonly enabled: boolean }
  readonly containerSecurityContext: Passed & { readonly enabled: boolean }
  readonly podLabels: Labels
  readonly podAnnotations: Labels
  readonly deploymentAnnotations: Labels
  readonly podAutomountServiceAccountToken: boolean
  readonly priorityClassName: string
  readonly schedulerName: string
  readonly terminationGracePeriodSeconds: number
  readonly nodeSelector: Labels
  readonly tolerations: readonly Passed[]
  readonly affinity: Passed
  readonly topologySpreadConstraints: readonly Passed[]
  readonly extraEnvVars: readonly Passed[]
  readonly extraEnvVarsCM: string
  readonly extraEnvVarsSecret: string
  readonly extraVolumeMounts: readonly Passed[]
  readonly extraVolumes: readonly Passed[]
  readonly initContainers: readonly Passed[]
  readonly sidecars: readonly Passed[]
  readonly podDisruptionBudget: { readonly enabled: boolean; readonly maxUnavailable: number }
  readonly networkPolicy: { readonly enabled: boolean }
}

export interface ImageValues {
  readonly registry: string
  readonly repository: string
  readonly tag: string
  readonly digest: string
  readonly pullPolicy: string
  readonly pullSecrets: readonly string[]
}

export interface WebhookCertificateValues {
  /**
   * `secret`: somebody else keeps the pair in `secretName`, and the API server trusts `caBundle` (PEM). `own`: the process keeps an
   * authority of its own in a Secret that the manifests bring, and tells the API server to trust it.
   */
  readonly source: 'cert-manager' | 'secret' | 'own'
  readonly secretName: string
  readonly caBundle: string
}

export interface ProbeValues {
  readonly initialDelaySeconds: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
  readonly successThreshold: number
}

export interface ServiceMonitorValues {
  readonly enabled: boolean
  readonly namespace: string
  readonly labels: Labels
  readonly annotations: Labels
  readonly interval: string
  readonly scrapeTimeout: string
  readonly path: string
  readonly scheme: string
  readonly honorLabels: boolean
  readonly relabelings: readonly Passed[]
  readonly metricRelabelings: readonly Passed[]
  readonly namespaceSelector: Passed
  readonly bearerTokenFile: string
  readonly authorization: Passed
}

/** The user of the image and of these manifests: an id that belongs to nobody. */
const nobody = 65_532

export const processValues: ProcessValues = {
  global: { imageRegistry: '', imagePullSecrets: [] },
  nameOverride: '',
  fullnameOverride: '',
  namespaceOverride: '',
  clusterDomain: 'cluster.local',
  commonLabels: {},
  commonAnnotations: {},
  image: { registry: '', repository: 'vouch', tag: '', digest: '', pullPolicy: 'IfNotPresent', pullSecrets: [] },
  replicaCount: 1,
  revisionHistoryLimit: 10,
  updateStrategy: { type: 'RollingUpdate' },
  operator: { leaderElection: { enabled: true, namespace: '', shards: 0 }, extraArgs: [] },
  crds: { install: true },
  serviceAccount: { create: true, name: '', annotations: {}, labels: {} },
  rbac: { annotations: {}, extraRules: [] },
  webhookCertificate: { source: 'cert-manager', secretName: '', caBundle: '' },
  metrics: { containerPort: 8080, service: { enabled: false, type: 'ClusterIP', port: 8080, annotations: {} } },
  serviceMonitor: {
    enabled: false,
    namespace: '',
    labels: {},
    annotations: {},
    interval: '30s',
    scrapeTimeout: '10s',
    path: '/metrics',
    scheme: 'http',
    honorLabels: false,
    relabelings: [],
    metricRelabelings: [],
    namespaceSelector: {},
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    authorization: {},
  },
  containerPorts: { webhook: 9443, health: 8081 },
  livenessProbe: {
    initialDelaySeconds: 15,
    periodSeconds: 20,
    timeoutSeconds: 1,
    failureThreshold: 3,
    successThreshold: 1,
  },
  readinessProbe: {
    initialDelaySeconds: 5,
    periodSeconds: 10,
    timeoutSeconds: 10,
    failureThreshold: 3,
    successThreshold: 1,
  },
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  podSecurityContext: {
    enabled: true,
    fsGroup: nobody,
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  containerSecurityContext: {
    enabled: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsGroup: nobody,
    runAsNonRoot: true,
    runAsUser: nobody,
  },
  podLabels: {},
  podAnnotations: {},
  deploymentAnnotations: {},
  podAutomountServiceAccountToken: true,
  priorityClassName: '',
  schedulerName: '',
  // Longer than what is under way may take when the process stops, and what it then still has to log.
  terminationGracePeriodSeconds: 60,
  nodeSelector: {},
  tolerations: [],
  affinity: {},
  topologySpreadConstraints: [],
  extraEnvVars: [],
  extraEnvVarsCM: '',
  extraEnvVarsSecret: '',
  extraVolumeMounts: [],
  extraVolumes: [],
  initContainers: [],
  sidecars: [],
  podDisruptionBudget: { enabled: false, maxUnavailable: 1 },
  networkPolicy: { enabled: false },
}
