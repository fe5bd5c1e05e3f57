// Odd reviews with the whole pod that upstream's rules make of each (docs/rules/webhook.md §2), worked out by hand from the rules
// and not by this program. Each runs against the webhook in both versions of the review, and against upstream's own program where somebody
// has it. The matrix of §8.1 is in admit.test.ts; here is what it does not say.

export interface ParityCase {
  readonly name: string
  /** As upstream's program takes them. CREDENTIALS stands for the path of the container-credentials file. */
  readonly flags?: readonly string[]
  /** Annotations of ServiceAccount ns1/app without their prefix; undefined: it has none; null: there is no such ServiceAccount. */
  readonly account?: Readonly<Record<string, string>> | null
  /** The data of the ConfigMap. */
  readonly entries?: Readonly<Record<string, object>>
  /** Names of ns1 in the container-credentials file. */
  readonly listed?: readonly string[]
  /** What the request says besides its pod. */
  readonly request?: object
  readonly pod: object
  /** The pod afterwards; absent: as it came. */
  readonly expected?: object
}

const role = 'arn:aws:iam::111122223333:role/r'
const withRole = { 'role-arn': role }
const path = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
const ccPath = '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount'

const pair = [
  { name: 'AWS_ROLE_ARN', value: role },
  { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${path}/token` },
]
const mount = { name: 'aws-iam-token', readOnly: true, mountPath: path }
const volume = volumeOf({})
const full = { name: 'a', env: pair, volumeMounts: [mount] }

const ccPair = [
  { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'http://169.254.170.23/v1/credentials' },
  { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: `${ccPath}/eks-pod-identity-token` },
]
const ccMount = { name: 'eks-pod-identity-token', readOnly: true, mountPath: ccPath }
const ccLabel = { 'eks.amazonaws.com/pod-identity': 'enabled' }
const ccFlags = ['--watch-container-credentials-config=CREDENTIALS']
const mapFlags = ['--watch-config-map=true']

/** Variables that whoever wrote the pod has set. */
function byHand(...names: readonly string[]): object[] {
  return names.map(name => ({ name, value: 'x' }))
}

function volumeOf(source: object): object {
  const serviceAccountToken = { audience: 'sts.amazonaws.com', expirationSeconds: 86_400, path: 'token', ...source }
  return { name: 'aws-iam-token', projected: { sources: [{ serviceAccountToken }] } }
}

/** Lives other than the default, so that nothing is left to chance. */
function ccVolume(source: object): object {
  const serviceAccountToken = { audience: 'pods.eks.amazonaws.com', path: 'eks-pod-identity-token', ...source }
  return { name: 'eks-pod-identity-token', projected: { sources: [{ serviceAccountToken }] } }
}

/** A pod of one container in whose place that one comes, with the volume of a role. */
function resultOf(container: object, more: object = {}): object {
  return podOf({ ...more, volumes: [volume], containers: [container] })
}

function podOf(spec: object, metadata: object = { name: 'p' }): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { serviceAccountName: 'app', ...spec } }
}

const plainPod = podOf({ containers: [{ name: 'a' }] })
const plainResult = podOf({ volumes: [volume], containers: [full] })

/** A pod of one container with an annotation of its own. */
function annotated(name: string, value: string, containers: readonly object[] = [{ name: 'a' }], more: object = {}): object {
  return podOf({ ...more, containers }, { name: 'p', annotations: { [`eks.amazonaws.com/${name}`]: value } })
}

const lives: readonly ParityCase[] = (
  [
    ['0', 600],
    ['-9223372036854775808', 600],
    ['-0', 600],
    ['+600', 600],
    ['601', 601],
    ['000900', 900],
    ['0000000000000000000000000900', 900],
    ['9223372036854775808', 86_400],
    ['-9223372036854775809', 86_400],
    ['0x384', 86_400],
    ['1_000', 86_400],
    ['900.0', 86_400],
    ['900 ', 86_400],
    ['', 86_400],
    ['+', 86_400],
    ['--900', 86_400],
    ['٩٠٠', 86_400],
    ['900\n', 86_400],
    ['86400', 86_400],
    ['86401', 86_401],
    ['4294967295', 4_294_967_295],
  ] as const
).map(([value, seconds]) => ({
  name: `a life of ${JSON.stringify(value)} on the pod is one of ${seconds}`,
  account: withRole,
  pod: annotated('token-expiration', value),
  expected: annotated('token-expiration', value, [full], { volumes: [volumeOf({ expirationSeconds: seconds })] }),
}))

const skips: readonly ParityCase[] = (
  [
    ['\na', 'a'],
    ['\r\n\r\na', 'a'],
    ['a\r', 'a'],
    ['"a"\r', 'a'],
    ['a\r\nb', 'a'],
    ['a,', 'a'],
    [',a', 'a'],
    ['"a","b"', 'ab'],
    ['"a"",b', ''],
    ['"a" ,b', ''],
    ['"a"b', ''],
    ['"a', ''],
    ['a"', ''],
    ['a\nb"', 'a'],
    ['b,a', 'ab'],
    ['a a', ''],
    ['A', ''],
    ['*', ''],
    ['a;b', ''],
    ['\n', ''],
    ['\r', ''],
    [' a', ''],
    ['a\t', ''],
  ] as const
).map(([value, skipped]) => {
  const done = (name: string): object => (skipped.includes(name) ? { name } : { ...full, name })
  return {
    name: `skip-containers ${JSON.stringify(value)} leaves out ${skipped || 'nobody'}`,
    account: withRole,
    pod: annotated('skip-containers', value, [{ name: 'a' }, { name: 'b' }]),
    expected: annotated('skip-containers', value, [done('a'), done('b')], { volumes: [volume] }),
  }
})

const words: readonly ParityCase[] = ['tRUE', ' true', 'true ', '2', '', 'on', 'null'].map(value => ({
  name: `sts-regional-endpoints ${JSON.stringify(value)} says nothing, and the flag's false holds`,
  account: { ...withRole, 'sts-regional-endpoints': value },
  pod: plainPod,
  expected: plainResult,
}))

const roles: readonly ParityCase[] = [' ', 'arn:aws:iam::111122223333:user/u', `${role}\n`, 'arn:', '${x}', 'é'].map(value => ({
  name: `a role of ${JSON.stringify(value)} goes into the pod as it stands`,
  account: { 'role-arn': value },
  pod: plainPod,
  expected: podOf({
    volumes: [volume],
    containers: [{ ...full, env: [{ name: 'AWS_ROLE_ARN', value }, pair[1]] }],
  }),
}))

const shapes: readonly ParityCase[] = [
  { name: 'the plain case', account: withRole, pod: plainPod, expected: plainResult },
  {
    name: 'a pod with generateName and no name, in a namespace of its own, which does not count',
    account: withRole,
    pod: podOf({ containers: [{ name: 'a' }] }, { generateName: 'p-', namespace: 'elsewhere' }),
    expected: podOf({ volumes: [volume], containers: [full] }, { generateName: 'p-', namespace: 'elsewhere' }),
  },
  {
    name: 'a request of another namespace has another ServiceAccount, whatever the pod says',
    account: withRole,
    request: { namespace: 'ns2' },
    pod: podOf({ containers: [{ name: 'a' }] }, { name: 'p', namespace: 'ns1' }),
  },
  ...['UPDATE', 'CONNECT', 'nonsense', ''].map(operation => ({
    name: `operation ${JSON.stringify(operation)} is not looked at`,
    account: withRole,
    request: { operation },
    pod: plainPod,
    expected: plainResult,
  })),
  {
    name: 'nor is a subresource, a dry run, an old object, or the kind of the request',
    account: withRole,
    request: {
      subResource: 'status',
      dryRun: true,
      oldObject: plainPod,
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    },
    pod: plainPod,
    expected: plainResult,
  },
  {
    name: 'the old name of the field serviceAccountName does not count',
    account: withRole,
    pod: { metadata: { name: 'p' }, spec: { serviceAccount: 'app', containers: [{ name: 'a' }] } },
  },
  { name: 'no serviceAccountName', account: withRole, pod: { metadata: {}, spec: { containers: [{ name: 'a' }] } } },
  { name: 'serviceAccountName null', account: withRole, pod: podOf({ serviceAccountName: null, containers: [{ name: 'a' }] }) },
  { name: 'an object without spec', account: withRole, pod: { metadata: { name: 'p' } } },
  { name: 'an empty object', account: withRole, pod: {} },
  {
    name: 'a pod template is no pod',
    account: withRole,
    pod: { kind: 'PodTemplate', metadata: {}, template: { spec: { serviceAccountName: 'app', containers: [{ name: 'a' }] } } },
  },
  {
    name: 'metadata null',
    account: withRole,
    pod: { ...plainPod, metadata: null },
    expected: { ...plainResult, metadata: null },
  },
  {
    name: 'labels and annotations null',
    account: withRole,
    pod: podOf({ containers: [{ name: 'a' }] }, { labels: null, annotations: null }),
    expected: podOf({ volumes: [volume], containers: [full] }, { labels: null, annotations: null }),
  },
  {
    name: 'null lists in the pod and its container count as missing',
    account: withRole,
    pod: podOf({
      volumes: null,
      initContainers: null,
      ephemeralContainers: null,
      containers: [{ name: 'a', env: null, volumeMounts: null }],
    }),
    expected: podOf({ volumes: [volume], initContainers: null, ephemeralContainers: null, containers: [full] }),
  },
  {
    name: 'empty lists are appended to',
    account: withRole,
    pod: podOf({ volumes: [], initContainers: [], containers: [{ name: 'a', env: [], volumeMounts: [] }] }),
    expected: podOf({ volumes: [volume], initContainers: [], containers: [full] }),
  },
  {
    name: 'two containers of one name are both given it',
    account: withRole,
    pod: podOf({ containers: [{ name: 'a' }, { name: 'a' }] }),
    expected: podOf({ volumes: [volume], containers: [full, full] }),
  },
  {
    name: 'a skipped name is skipped among init containers and containers alike',
    account: withRole,
    pod: annotated('skip-containers', 'a', [{ name: 'a' }, { name: 'b' }], { initContainers: [{ name: 'a' }, { name: 'c' }] }),
    expected: annotated('skip-containers', 'a', [{ name: 'a' }, { ...full, name: 'b' }], {
      volumes: [volume],
      initContainers: [{ name: 'a' }, { ...full, name: 'c' }],
    }),
  },
  {
    name: 'ephemeral containers are left alone, also one that mounts the token',
    account: withRole,
    pod: podOf({
      containers: [{ name: 'a' }],
      ephemeralContainers: [{ name: 'e', targetContainerName: 'a', volumeMounts: [mount] }],
    }),
    expected: podOf({
      volumes: [volume],
      containers: [full],
      ephemeralContainers: [{ name: 'e', targetContainerName: 'a', volumeMounts: [mount] }],
    }),
  },
  {
    name: 'init containers come out in their order, with what they had',
    account: withRole,
    pod: podOf({
      initContainers: [
        { name: 'i', restartPolicy: 'Always', env: [{ name: 'X', value: '' }] },
        { name: 'j', command: ['x'] },
      ],
      containers: [{ name: 'a' }],
    }),
    expected: podOf({
      volumes: [volume],
      initContainers: [
        { name: 'i', restartPolicy: 'Always', env: [{ name: 'X', value: '' }, ...pair], volumeMounts: [mount] },
        { name: 'j', command: ['x'], env: pair, volumeMounts: [mount] },
      ],
      containers: [full],
    }),
  },
  {
    name: 'the security context, its fsGroup and its users are not touched',
    account: withRole,
    pod: podOf({
      securityContext: { runAsUser: 1, fsGroup: 2, runAsNonRoot: true },
      containers: [{ name: 'a', securityContext: { runAsUser: 3 } }],
    }),
    expected: podOf({
      securityContext: { runAsUser: 1, fsGroup: 2, runAsNonRoot: true },
      volumes: [volume],
      containers: [{ name: 'a', securityContext: { runAsUser: 3 }, env: pair, volumeMounts: [mount] }],
    }),
  },
]

const environment: readonly ParityCase[] = [
  {
    name: 'all five variables in their order, after what was there',
    flags: ['--aws-default-region=eu-west-1', '--sts-regional-endpoint=true'],
    account: withRole,
    pod: podOf({ containers: [{ name: 'a', env: [{ name: 'B', value: 'b' }] }] }),
    expected: podOf({
      volumes: [volume],
      containers: [
        {
          name: 'a',
          env: [
            { name: 'B', value: 'b' },
            { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' },
            { name: 'AWS_DEFAULT_REGION', value: 'eu-west-1' },
            { name: 'AWS_REGION', value: 'eu-west-1' },
            ...pair,
          ],
          volumeMounts: [mount],
        },
      ],
    }),
  },
  {
    name: 'AWS_DEFAULT_REGION alone keeps AWS_REGION out',
    flags: ['--aws-default-region=eu-west-1'],
    account: withRole,
    pod: podOf({ containers: [{ name: 'a', env: [{ name: 'AWS_DEFAULT_REGION', value: '' }] }] }),
    expected: resultOf({ name: 'a', env: [{ name: 'AWS_DEFAULT_REGION', value: '' }, ...pair], volumeMounts: [mount] }),
  },
  {
    name: 'AWS_STS_REGIONAL_ENDPOINTS=legacy set by hand stays, also where regional is asked for',
    flags: ['--sts-regional-endpoint=true'],
    account: withRole,
    pod: podOf({ containers: [{ name: 'a', env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'legacy' }] }] }),
    expected: resultOf({
      name: 'a',
      env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'legacy' }, ...pair],
      volumeMounts: [mount],
    }),
  },
  {
    name: 'a container with one name of each of the three groups is left alone though flags would add nothing of them',
    account: withRole,
    pod: podOf({
      containers: [
        {
          name: 'a',
          env: byHand('AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'),
        },
        { name: 'b' },
      ],
    }),
    expected: podOf({
      volumes: [volume],
      containers: [
        {
          name: 'a',
          env: byHand('AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'),
        },
        { ...full, name: 'b' },
      ],
    }),
  },
  {
    name: 'names in another case are other names',
    account: withRole,
    pod: podOf({ containers: [{ name: 'a', env: [{ name: 'aws_role_arn', value: 'x' }] }] }),
    expected: resultOf({ name: 'a', env: [{ name: 'aws_role_arn', value: 'x' }, ...pair], volumeMounts: [mount] }),
  },
  {
    name: 'a variable that is there twice stays there twice',
    account: withRole,
    pod: podOf({
      containers: [
        {
          name: 'a',
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ],
    }),
    expected: resultOf({
      name: 'a',
      env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }, ...pair],
      volumeMounts: [mount],
    }),
  },
  {
    name: 'variables of container credentials do not keep the pair of a role out',
    account: withRole,
    pod: podOf({ containers: [{ name: 'a', env: [{ name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'x' }] }] }),
    expected: podOf({
      volumes: [volume],
      containers: [
        { name: 'a', env: [{ name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'x' }, ...pair], volumeMounts: [mount] },
      ],
    }),
  },
]

const volumes: readonly ParityCase[] = [
  {
    name: 'a token volume of that name with another audience and another life is left as it is',
    account: withRole,
    pod: podOf({
      volumes: [{ name: 'x', emptyDir: {} }, volumeOf({ audience: 'mine', expirationSeconds: 3_600 })],
      containers: [{ name: 'a' }],
    }),
    expected: podOf({
      volumes: [{ name: 'x', emptyDir: {} }, volumeOf({ audience: 'mine', expirationSeconds: 3_600 })],
      containers: [full],
    }),
  },
  {
    name: 'a token at the same path in a volume of another name is no hindrance to ours',
    account: withRole,
    pod: podOf({ volumes: [{ ...volume, name: 'mine' }], containers: [{ name: 'a' }] }),
    expected: podOf({ volumes: [volume, { ...volume, name: 'mine' }], containers: [full] }),
  },
  {
    name: 'what a pod of this webhook holds already is not added again',
    account: withRole,
    pod: plainResult,
  },
  {
    name: 'a mount at the same place in another spelling is another mount: the API server takes both',
    account: withRole,
    pod: podOf({
      volumes: [{ name: 'x', emptyDir: {} }],
      containers: [{ name: 'a', volumeMounts: [{ name: 'x', mountPath: `${path}/` }] }],
    }),
    expected: podOf({
      volumes: [volume, { name: 'x', emptyDir: {} }],
      containers: [{ name: 'a', env: pair, volumeMounts: [{ name: 'x', mountPath: `${path}/` }, mount] }],
    }),
  },
  {
    name: 'a mount above or below the place of the token is no hindrance',
    account: withRole,
    pod: podOf({
      volumes: [{ name: 'x', emptyDir: {} }],
      containers: [
        {
          name: 'a',
          volumeMounts: [
            { name: 'x', mountPath: '/var/run/secrets' },
            { name: 'x', mountPath: `${path}/token` },
          ],
        },
      ],
    }),
    expected: podOf({
      volumes: [volume, { name: 'x', emptyDir: {} }],
      containers: [
        {
          name: 'a',
          env: pair,
          volumeMounts: [{ name: 'x', mountPath: '/var/run/secrets' }, { name: 'x', mountPath: `${path}/token` }, mount],
        },
      ],
    }),
  },
  {
    name: 'the pair of another volume: its mount of our name, at another path and of a part, is kept and not doubled',
    account: withRole,
    pod: resultOf({ name: 'a', volumeMounts: [{ name: 'aws-iam-token', mountPath: '/x', subPath: 'token' }] }),
    expected: resultOf({ name: 'a', env: pair, volumeMounts: [{ name: 'aws-iam-token', mountPath: '/x', subPath: 'token' }] }),
  },
]

const flagged: readonly ParityCase[] = [
  ...(
    [
      ['/x/y/', '/x/y/token'],
      ['/x//y/./z', '/x/y/z/token'],
      ['/x/../y', '/y/token'],
      ['/', '/token'],
      ['/../..', '/token'],
    ] as const
  ).map(([mountPath, file]) => ({
    name: `a mount path of ${mountPath} stays as it is, and the file is ${file}`,
    flags: [`--token-mount-path=${mountPath}`],
    account: withRole,
    pod: plainPod,
    expected: podOf({
      volumes: [volume],
      containers: [
        {
          name: 'a',
          env: [pair[0], { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: file }],
          volumeMounts: [{ ...mount, mountPath }],
        },
      ],
    }),
  })),
  {
    name: 'the file of a Windows pod, with an uncommon mount path',
    flags: ['--token-mount-path=/x//y z/'],
    account: withRole,
    pod: podOf({ nodeSelector: { 'kubernetes.io/os': 'windows' }, containers: [{ name: 'a' }] }),
    expected: podOf({
      nodeSelector: { 'kubernetes.io/os': 'windows' },
      volumes: [volume],
      containers: [
        {
          name: 'a',
          env: [pair[0], { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: 'C:\\x\\y z\\token' }],
          volumeMounts: [{ ...mount, mountPath: '/x//y z/' }],
        },
      ],
    }),
  },
  {
    name: 'one of the two selectors is enough for Windows',
    account: withRole,
    pod: podOf({
      nodeSelector: { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'windows' },
      containers: [{ name: 'a' }],
    }),
    expected: podOf({
      nodeSelector: { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'windows' },
      volumes: [volume],
      containers: [
        {
          name: 'a',
          env: [
            pair[0],
            { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: 'C:\\var\\run\\secrets\\eks.amazonaws.com\\serviceaccount\\token' },
          ],
          volumeMounts: [mount],
        },
      ],
    }),
  },
  {
    name: 'node affinity, runtime class and the os of the spec make no Windows pod',
    account: withRole,
    pod: podOf({
      os: { name: 'windows' },
      runtimeClassName: 'windows',
      nodeSelector: { os: 'windows' },
      containers: [{ name: 'a' }],
    }),
    expected: podOf({
      os: { name: 'windows' },
      runtimeClassName: 'windows',
      nodeSelector: { os: 'windows' },
      volumes: [volume],
      containers: [full],
    }),
  },
  {
    name: 'an empty audience of the flag leaves the field out',
    flags: ['--token-audience='],
    account: withRole,
    pod: plainPod,
    expected: podOf({ volumes: [volumeOf({ audience: undefined })], containers: [full] }),
  },
  {
    name: 'with another prefix the usual annotations of the pod say nothing either',
    flags: ['--annotation-prefix=foo.io'],
    account: withRole,
    pod: annotated('skip-containers', 'a'),
  },
  {
    name: 'a life below the least in the flag is raised, and the pod may still ask for more',
    flags: ['--token-expiration=1'],
    account: withRole,
    pod: annotated('token-expiration', '700'),
    expected: annotated('token-expiration', '700', [full], { volumes: [volumeOf({ expirationSeconds: 700 })] }),
  },
]

const entry = { RoleARN: role }
const mapped: readonly ParityCase[] = [
  {
    name: 'the flags for audience and regional STS do not count for an entry; its own values do',
    flags: [...mapFlags, '--sts-regional-endpoint=true', '--token-audience=other'],
    entries: { 'ns1/app': entry },
    pod: plainPod,
    expected: podOf({ volumes: [volumeOf({ audience: undefined })], containers: [full] }),
  },
  {
    name: 'an entry with all fields, in another case',
    flags: mapFlags,
    entries: { 'ns1/app': { rolearn: role, AUDIENCE: 'aud', useRegionalSTS: true, tokenexpiration: 7_200, More: 1 } },
    pod: plainPod,
    expected: podOf({
      volumes: [volumeOf({ audience: 'aud', expirationSeconds: 7_200 })],
      containers: [
        { name: 'a', env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }, ...pair], volumeMounts: [mount] },
      ],
    }),
  },
  {
    name: "the pod's life beats the entry's",
    flags: mapFlags,
    entries: { 'ns1/app': { ...entry, TokenExpiration: 7_200 } },
    pod: annotated('token-expiration', '1000'),
    expected: annotated('token-expiration', '1000', [full], {
      volumes: [volumeOf({ audience: undefined, expirationSeconds: 1_000 })],
    }),
  },
  {
    name: 'a negative life of an entry is raised',
    flags: mapFlags,
    entries: { 'ns1/app': { ...entry, TokenExpiration: -1 } },
    pod: plainPod,
    expected: podOf({ volumes: [volumeOf({ audience: undefined, expirationSeconds: 600 })], containers: [full] }),
  },
  {
    name: 'a life of an entry that the API server would refuse is shortened',
    flags: mapFlags,
    entries: { 'ns1/app': { ...entry, TokenExpiration: 5_000_000_000 } },
    pod: plainPod,
    expected: podOf({ volumes: [volumeOf({ audience: undefined, expirationSeconds: 4_294_967_296 })], containers: [full] }),
  },
  {
    name: 'an exact entry without a role gives none, and keeps away the one for any namespace',
    flags: mapFlags,
    entries: { 'ns1/app': { TokenExpiration: 900 }, '*/app': entry },
    pod: plainPod,
  },
  {
    name: 'an entry for all names is an entry for the name *',
    flags: mapFlags,
    entries: { '*/*': entry, 'ns1/*': entry },
    pod: plainPod,
  },
  { name: 'an entry of another namespace is not ours', flags: mapFlags, entries: { 'ns2/app': entry }, pod: plainPod },
  { name: 'without its flag the ConfigMap says nothing', entries: { 'ns1/app': entry }, pod: plainPod },
  {
    name: 'an entry counts for a ServiceAccount that is not there',
    flags: mapFlags,
    account: null,
    entries: { '*/app': entry },
    pod: plainPod,
    expected: podOf({ volumes: [volumeOf({ audience: undefined })], containers: [full] }),
  },
]

const containerCredentials: readonly ParityCase[] = [
  {
    name: 'the life and the regional STS of the flags count for a ServiceAccount that is known, with no annotations at all',
    flags: [...ccFlags, '--token-expiration=7200', '--sts-regional-endpoint=true'],
    listed: ['app'],
    pod: plainPod,
    expected: podOf(
      {
        volumes: [ccVolume({ expirationSeconds: 7_200 })],
        containers: [
          { name: 'a', env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }, ...ccPair], volumeMounts: [ccMount] },
        ],
      },
      { name: 'p', labels: ccLabel },
    ),
  },
  {
    name: 'the annotations for life and regional STS count, that for the audience does not',
    flags: ccFlags,
    account: { audience: 'mine', 'token-expiration': '9000', 'sts-regional-endpoints': '1', 'role-arn': role },
    listed: ['app'],
    pod: podOf({ containers: [{ name: 'a' }] }, { labels: {} }),
    expected: podOf(
      {
        volumes: [ccVolume({ expirationSeconds: 9_000 })],
        containers: [
          { name: 'a', env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }, ...ccPair], volumeMounts: [ccMount] },
        ],
      },
      { labels: ccLabel },
    ),
  },
  {
    name: 'for one that is not there, the exact entry gives life and regional STS, and not its role',
    flags: [...ccFlags, ...mapFlags],
    account: null,
    entries: {
      'ns1/app': { ...entry, UseRegionalSTS: true, TokenExpiration: 5_000 },
      '*/app': { ...entry, TokenExpiration: 6_000 },
    },
    listed: ['app'],
    pod: plainPod,
    expected: podOf(
      {
        volumes: [ccVolume({ expirationSeconds: 5_000 })],
        containers: [
          { name: 'a', env: [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }, ...ccPair], volumeMounts: [ccMount] },
        ],
      },
      { name: 'p', labels: ccLabel },
    ),
  },
  {
    name: 'every flag of container credentials, and the region',
    flags: [
      ...ccFlags,
      '--container-credentials-audience=aud',
      '--container-credentials-token-mount-path=/m/',
      '--container-credentials-token-volume-name=vol',
      '--container-credentials-token-path=tok',
      '--container-credentials-full-uri=http://[fd00:ec2::23]/v1/credentials',
      '--aws-default-region=r',
    ],
    listed: ['app'],
    account: { 'token-expiration': '3600' },
    pod: plainPod,
    expected: podOf(
      {
        volumes: [
          {
            name: 'vol',
            projected: { sources: [{ serviceAccountToken: { audience: 'aud', expirationSeconds: 3_600, path: 'tok' } }] },
          },
        ],
        containers: [
          {
            name: 'a',
            env: [
              { name: 'AWS_DEFAULT_REGION', value: 'r' },
              { name: 'AWS_REGION', value: 'r' },
              { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'http://[fd00:ec2::23]/v1/credentials' },
              { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: '/m/tok' },
            ],
            volumeMounts: [{ name: 'vol', readOnly: true, mountPath: '/m/' }],
          },
        ],
      },
      { name: 'p', labels: ccLabel },
    ),
  },
  {
    name: 'all containers skipped: label and volume all the same',
    flags: ccFlags,
    listed: ['app'],
    account: { 'token-expiration': '3600' },
    pod: podOf(
      { containers: [{ name: 'a' }] },
      { annotations: { 'eks.amazonaws.com/skip-containers': 'a' }, labels: { x: 'y' } },
    ),
    expected: podOf(
      { volumes: [ccVolume({ expirationSeconds: 3_600 })], containers: [{ name: 'a' }] },
      { annotations: { 'eks.amazonaws.com/skip-containers': 'a' }, labels: { x: 'y', ...ccLabel } },
    ),
  },
  {
    name: 'a container with one name of each group is left alone; the name of a role is none of them',
    flags: ccFlags,
    listed: ['app'],
    account: { 'token-expiration': '3600' },
    pod: podOf({
      containers: [
        {
          name: 'a',
          env: byHand('AWS_ROLE_ARN', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'),
        },
        {
          name: 'b',
          env: byHand('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'),
        },
      ],
    }),
    expected: podOf(
      {
        volumes: [ccVolume({ expirationSeconds: 3_600 })],
        containers: [
          {
            name: 'a',
            env: [...byHand('AWS_ROLE_ARN', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'), ...ccPair],
            volumeMounts: [ccMount],
          },
          {
            name: 'b',
            env: byHand('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'),
          },
        ],
      },
      { name: 'p', labels: ccLabel },
    ),
  },
  {
    name: 'the volume of a role is no hindrance, and stays',
    flags: ccFlags,
    listed: ['app'],
    account: { 'token-expiration': '3600' },
    pod: podOf({ volumes: [volume], containers: [{ name: 'a', volumeMounts: [mount] }] }),
    expected: podOf(
      {
        volumes: [ccVolume({ expirationSeconds: 3_600 }), volume],
        containers: [{ name: 'a', volumeMounts: [mount, ccMount], env: ccPair }],
      },
      { name: 'p', labels: ccLabel },
    ),
  },
  { name: 'who is not in the file does not get them', flags: ccFlags, listed: ['other'], pod: plainPod },
  {
    name: 'who is not in the file gets the role',
    flags: ccFlags,
    listed: ['other'],
    account: withRole,
    pod: plainPod,
    expected: plainResult,
  },
]

export const parityCases: readonly ParityCase[] = [
  ...shapes,
  ...lives,
  ...skips,
  ...words,
  ...roles,
  ...environment,
  ...volumes,
  ...flagged,
  ...mapped,
  ...containerCredentials,
]
