// What the webhook is asked in benchmarks.

/** The pod of the specification: one init and three regular containers. */
export function samplePod(serviceAccountName = 'app'): object {
  const container = (name: string) => ({
    name,
    image: `registry.example.com/${name}:1.0`,
    env: [{ name: 'LOG_LEVEL', value: 'info' }],
    resources: {},
    volumeMounts: [{ name: 'kube-api-access-x', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
  })
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'web-7d4b9c-', namespace: 'ns1', labels: { app: 'web' } },
    spec: {
      volumes: [
        {
          name: 'kube-api-access-x',
          projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } }] },
        },
      ],
      initContainers: [container('prepare')],
      containers: ['web', 'proxy', 'logs'].map(container),
      serviceAccountName,
    },
  }
}

export function reviewOf(object: object, namespace = 'ns1'): string {
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      namespace,
      operation: 'CREATE',
      userInfo: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
      object,
      oldObject: null,
      dryRun: false,
    },
  })
}

/** A request as it stands on the wire. */
export function rendered(body: string, isKeptAlive = true): Buffer {
  const head = [
    'POST /mutate?timeout=10s HTTP/1.1',
    'host: pod-identity-webhook.eks.svc:443',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(isKeptAlive ? [] : ['connection: close']),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
