// A pod of which nearly everything is said that can be said of one.

import type { JsonObject } from '#schema'

/** A selector in both of its forms. */
export const selector: JsonObject = {
  matchLabels: { app: 'a' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['x', 'y'] }],
}
export const labels: JsonObject = { app: 'a', tier: 'x' }
export const nodeTerm: JsonObject = {
  matchExpressions: [
    { key: 'zone', operator: 'In', values: ['a'] },
    { key: 'n', operator: 'Gt', values: ['5'] },
  ],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
}
const podTerm = {
  labelSelector: selector,
  topologyKey: 'kubernetes.io/hostname',
  namespaces: ['x'],
  namespaceSelector: { matchLabels: { a: 'b' } },
}
const container = {
  name: 'main',
  image: 'img:1',
  imagePullPolicy: 'Always',
  command: ['a'],
  args: ['b'],
  workingDir: '/w',
  ports: [
    { name: 'http', containerPort: 80, hostPort: 8080, protocol: 'TCP' },
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
  ],
  envFrom: [{ prefix: 'P_', configMapRef: { name: 'cm', optional: true } }, { secretRef: { name: 'sec' } }],
  env: [
    { name: 'A', value: 'b' },
    { name: 'F', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'R', valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1' } } },
    { name: 'C', valueFrom: { configMapKeyRef: { name: 'cm', key: 'k', optional: false } } },
    { name: 'S', valueFrom: { secretKeyRef: { name: 'cm', key: 'k' } } },
  ],
  resources: {
    limits: { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' },
    requests: { cpu: '100m', memory: '1Mi', 'example.com/gpu': '1' },
  },
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  volumeMounts: [
    { name: 'empty', mountPath: '/e', subPath: 's', readOnly: true },
    { name: 'config', mountPath: '/c', mountPropagation: 'None', subPathExpr: '$(A)' },
  ],
  volumeDevices: [{ name: 'claim', devicePath: '/d' }],
  livenessProbe: {
    httpGet: { path: '/h', port: 80, host: 'h', scheme: 'HTTP', httpHeaders: [{ name: 'X-A', value: 'b' }] },
    initialDelaySeconds: 1,
    timeoutSeconds: 2,
    periodSeconds: 3,
    successThreshold: 1,
    failureThreshold: 3,
    terminationGracePeriodSeconds: 5,
  },
  readinessProbe: { tcpSocket: { port: 'http', host: 'h' }, successThreshold: 2 },
  startupProbe: { grpc: { port: 5, service: 's' } },
  lifecycle: { postStart: { exec: { command: ['x'] } }, preStop: { sleep: { seconds: 3 } } },
  terminationMessagePath: '/t',
  terminationMessagePolicy: 'File',
  securityContext: {
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    privileged: false,
    runAsUser: 1,
    runAsGroup: 2,
    runAsNonRoot: true,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    procMount: 'Default',
    seccompProfile: { type: 'RuntimeDefault' },
    seLinuxOptions: { level: 'l' },
    appArmorProfile: { type: 'Localhost', localhostProfile: 'p' },
  },
  stdin: true,
  stdinOnce: false,
  tty: true,
}
export const podSpec: JsonObject = {
  volumes: [
    { name: 'empty', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    { name: 'config', configMap: { name: 'cm', items: [{ key: 'k', path: 'p', mode: 256 }], defaultMode: 420, optional: true } },
    { name: 'secret', secret: { secretName: 'sec', items: [{ key: 'k', path: 'p' }], defaultMode: 420 } },
    { name: 'host', hostPath: { path: '/h', type: 'Directory' } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'c', readOnly: true } },
    { name: 'nfs', nfs: { server: 's', path: '/p' } },
    { name: 'csi', csi: { driver: 'd.example.com', volumeAttributes: { a: 'b' }, nodePublishSecretRef: { name: 's' } } },
    {
      name: 'down',
      downwardAPI: {
        items: [
          { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
          { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'requests.cpu' } },
        ],
        defaultMode: 420,
      },
    },
    {
      name: 'proj',
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { audience: 'a', expirationSeconds: 3600, path: 'token' } },
          { configMap: { name: 'c', items: [{ key: 'a', path: 'b' }] } },
          { secret: { name: 's' } },
          { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    },
    {
      name: 'eph',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { a: 'b' } },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: { requests: { storage: '1Gi' } } },
        },
      },
    },
    { name: 'ebs', awsElasticBlockStore: { volumeID: 'v', fsType: 'ext4', partition: 1 } },
    { name: 'iscsi', iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:storage', lun: 1 } },
    { name: 'image', image: { reference: 'r', pullPolicy: 'Always' } },
  ],
  initContainers: [
    { name: 'init', image: 'i' },
    { name: 'side', image: 'i', restartPolicy: 'Always', ports: [{ containerPort: 90 }] },
  ],
  containers: [container, { name: 'second', image: 'i', readinessProbe: { exec: { command: ['a'] } } }],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 5,
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['1.1.1.1'], searches: ['a.b'], options: [{ name: 'ndots', value: '2' }] },
  nodeSelector: { a: 'b' },
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  shareProcessNamespace: true,
  securityContext: {
    runAsUser: 1,
    runAsGroup: 1,
    runAsNonRoot: true,
    fsGroup: 1,
    supplementalGroups: [1],
    supplementalGroupsPolicy: 'Merge',
    fsGroupChangePolicy: 'OnRootMismatch',
    sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }],
    seccompProfile: { type: 'Localhost', localhostProfile: 'a/b' },
    seLinuxOptions: { level: 'x' },
  },
  imagePullSecrets: [{ name: 'x' }],
  hostname: 'h',
  subdomain: 's',
  schedulerName: 'x',
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: nodeTerm }],
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [podTerm],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: podTerm }],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [podTerm],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: { ...podTerm, matchLabelKeys: ['pod-template-hash'] } },
      ],
    },
  },
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 3 }, { operator: 'Exists' }],
  hostAliases: [{ ip: '1.2.3.4', hostnames: ['a.b'] }],
  priorityClassName: 'x',
  runtimeClassName: 'r',
  enableServiceLinks: true,
  preemptionPolicy: 'Never',
  readinessGates: [{ conditionType: 'a.b/c' }],
  setHostnameAsFQDN: false,
  os: { name: 'linux' },
  hostUsers: true,
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
      matchLabelKeys: ['pod-template-hash'],
    },
  ],
  schedulingGates: [{ name: 'a.b/c' }],
}
