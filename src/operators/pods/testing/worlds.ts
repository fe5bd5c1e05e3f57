// Worlds for the oracle: flags, ServiceAccounts, the ConfigMap as its text, the credentials file, and reviews of pods that lean towards what
// the tables speak of. All is valid as far as an API server looks, so that upstream's pod would be taken too, or corrected as §13 says.
import * as fc from 'fast-check'
import { given } from '#base'
import type { OracleEntry, OracleWorld } from './oracle.ts'

type Tree = Record<string, unknown>

export interface AskedWorld {
  readonly world: OracleWorld
  readonly configMap: string | undefined
  readonly asks: readonly { readonly namespace: string | undefined; readonly more: object; readonly pod: Tree }[]
}

/** The usual one, mostly. */
const prefixes = [...Array.from({ length: 6 }, () => 'eks.amazonaws.com'), 'foo.io', 'eks.amazonaws.com/x']
const roles = [
  'arn:aws:iam::111122223333:role/r',
  'arn:aws-cn:iam::111122223333:role/a/b+c=d,e@f.g-h_i',
  'my-role',
  'not an arn',
  ' ',
  '',
]
const lives = [
  '600',
  '599',
  '601',
  '0',
  '-1',
  '-0',
  '+900',
  '+',
  '-',
  '',
  ' 900',
  '900 ',
  '9e2',
  '900.0',
  '1h',
  '0900',
  '0x384',
  '1_000',
  '86400',
  '86399',
  '79200',
  '4294967295',
  '4294967296',
  '4294967297',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '٩٠٠',
  '9'.repeat(40),
]
const csv = [
  '',
  'a',
  'b',
  'i',
  'a,b',
  'a, b',
  ' a',
  'a ',
  '"a"',
  '"a","b"',
  '"a" ,b',
  'a"b,a',
  '"a',
  '"a""b",a',
  '"a,b"',
  '"a\nb",i',
  'a\nb',
  '\na',
  '\r\na',
  'a\r\nb',
  'a\r',
  'a,',
  ',a',
  ',,b',
  'a;b',
  'A',
  '"",a',
  '#a',
  "'a'",
  'a\tb',
  'i,a,b,c',
  '\n',
  '\r',
  '"a"x,b',
  'a,"b"\r\ni',
]
const booleans = [
  '1',
  't',
  'T',
  'TRUE',
  'true',
  'True',
  '0',
  'f',
  'F',
  'FALSE',
  'false',
  'False',
  'yes',
  'on',
  'tRUE',
  ' true',
  '',
]
const names = ['app', 'other', 'cc', 'wild']
const namespaces = ['ns1', 'ns2']
const tokenPaths = ['/var/run/secrets/eks.amazonaws.com/serviceaccount', '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount']

const some = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
/** A record in which each field is there or not. */
const perhaps = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>

const flags: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    perhaps({
      'annotation-prefix': some(...prefixes),
      'token-audience': some('other', ''),
      'token-mount-path': some('/x/y/', '/a//b/../c', '/with space', tokenPaths[0] as string),
      'token-expiration': some('300', '-5', '7200', '86400', '86401', '99999999999'),
      'aws-default-region': some('eu-west-1', ''),
      'sts-regional-endpoint': some('true', 'false'),
      'watch-config-map': some('true', 'true', 'false'),
      'watch-container-credentials-config': some('/cc', '/cc', ''),
    }),
    perhaps({
      'container-credentials-audience': some('aud'),
      'container-credentials-token-mount-path': some('/m/', tokenPaths[0] as string),
      'container-credentials-token-volume-name': some('vol', 'aws-iam-token'),
      'container-credentials-token-path': some('tok', 'deep/er'),
      'container-credentials-full-uri': some('http://[fd00:ec2::23]/v1/credentials'),
    }),
    some<Record<string, string>>(
      {},
      {},
      {
        'compose-role-arn': 'true',
        'aws-account-id': '444455556666',
        'aws-partition': 'aws-cn',
      },
    ),
  )
  .map(parts => Object.assign({}, ...parts) as Record<string, string>)

const accountFields = perhaps({
  'role-arn': some(roles[0] as string, ...roles),
  audience: some('my-aud', ''),
  'sts-regional-endpoints': some(...booleans),
  'token-expiration': some(...lives),
})
const account = fc
  .array(fc.tuple(some(...prefixes), accountFields), { maxLength: 2 })
  .map(list =>
    Object.fromEntries(
      list.flatMap(([prefix, fields]) => Object.entries(fields).map(([name, value]) => [`${prefix}/${name}`, value])),
    ),
  )
const everyName = namespaces.flatMap(namespace => names.map(name => `${namespace}/${name}`))
const accounts = fc.dictionary(some(...everyName), account as fc.Arbitrary<Record<string, string>>, { minKeys: 3, maxKeys: 8 })

/** Whole numbers of 64 bits, as JSON may spell them, and what is none. */
const sound = ['0', '300', '-5', '-0', '7200', '86400', '4294967297', '9007199254740993', '9223372036854775807']
const unsound = ['9e2', '900.0', '9223372036854775808', '"900"', 'true', '[]']
const spellings = (name: string): fc.Arbitrary<string> => some(name, name.toLowerCase(), name.toUpperCase())
const field = <T>(name: string, text: fc.Arbitrary<string>, meaning: (text: string) => T) =>
  fc.option(
    fc.tuple(spellings(name), text).map(([key, value]) => ({ text: `${JSON.stringify(key)}:${value}`, means: meaning(value) })),
    { nil: undefined },
  )
const entry = (seconds: readonly string[]) =>
  fc
    .tuple(
      field(
        'RoleARN',
        some(...roles.slice(0, 3), '').map(role => JSON.stringify(role)),
        text => JSON.parse(text) as string,
      ),
      field('Audience', some('"aud"', '""', 'null'), text => (JSON.parse(text) as string | null) ?? ''),
      field('UseRegionalSTS', some('true', 'false', 'null'), text => text === 'true'),
      field('TokenExpiration', some(...seconds), secondsOf),
      some('', '"Unknown":{"TokenExpiration":1e4}'),
    )
    .map(([role, audience, regional, life, unknown]) => ({
      text: `{${[role?.text, audience?.text, regional?.text, life?.text, unknown === '' ? undefined : unknown].filter(part => part !== undefined).join(', ')}}`,
      means: {
        role: role?.means ?? '',
        audience: audience?.means ?? '',
        regional: regional?.means ?? false,
        seconds: life?.means ?? 0n,
      } satisfies OracleEntry,
      isSound: life === undefined || sound.includes(life.text.split(':')[1] ?? ''),
    }))

function secondsOf(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n
}

const keys = [...everyName, '*/app', '*/wild', '*/*', 'ns-*/app', 'noslash', '*/cc']
const configMap = fc
  .tuple(
    fc.uniqueArray(fc.tuple(some(...keys), entry([...sound, ...sound, ...sound, ...sound, ...unsound])), {
      maxLength: 6,
      selector: ([key]) => key,
    }),
    some('', '', '', '', '', '', '', '', ',', '{'),
  )
  .map(([list, spoiled]) => ({
    text: `{${list.map(([key, { text }]) => `${JSON.stringify(key)}: ${text}`).join(',\n')}${spoiled}}`,
    entries:
      spoiled === '' && list.every(([, { isSound }]) => isSound)
        ? Object.fromEntries(list.filter(([key]) => key.includes('/')).map(([key, { means }]) => [key, means]))
        : undefined,
  }))

const variables = [
  'AWS_ROLE_ARN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_STS_REGIONAL_ENDPOINTS',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'aws_role_arn',
  'A',
]
const env = fc.array(
  fc
    .tuple(
      some(...variables),
      some<object>({}, { value: '' }, { value: 'x' }, { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }),
    )
    .map(([name, value]) => ({ name, ...value })),
  { maxLength: 6 },
)
const mounts = fc.uniqueArray(
  fc
    .tuple(
      some('v', 'aws-iam-token', 'eks-pod-identity-token', 'vol'),
      some('/v', '/x/y/', '/x/y', '/m/', ...tokenPaths, `${tokenPaths[0]}/`, `${tokenPaths[0]}/token`),
    )
    .map(([name, mountPath]) => ({ name, mountPath, readOnly: false })),
  { maxLength: 3, selector: ({ mountPath }) => mountPath },
)
const listOf = <T>(list: fc.Arbitrary<readonly T[]>): fc.Arbitrary<readonly T[] | null> =>
  fc.oneof({ weight: 6, arbitrary: list }, fc.constant(null))
const container = perhaps<Tree>({
  image: some('img'),
  env: listOf(env),
  volumeMounts: listOf(mounts),
  envFrom: some([{ configMapRef: { name: 'AWS_ROLE_ARN' } }]),
  restartPolicy: some('Always'),
  resources: some({}, { limits: { cpu: '1' } }),
  livenessProbe: some({ grpc: { port: 1 } }),
  futureField: some<unknown>(null, { a: [1e300, 0.1] }),
})
const containers = fc.array(
  fc.tuple(some('a', 'b', 'c', 'i', 'a"b', 'a,b', ' b', ''), container).map(([name, more]): Tree => ({ name, ...more })),
  { maxLength: 3 },
)
const sources: readonly object[] = [
  { emptyDir: {} },
  { hostPath: { path: '/' } },
  { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
  {
    projected: {
      sources: [
        { configMap: { name: 'c' } },
        { serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 86_400, path: 'token' } },
      ],
    },
  },
  { projected: {} },
]
const volumes = fc.uniqueArray(
  fc
    .tuple(some('v', 'kube-api-access-x', 'aws-iam-token', 'eks-pod-identity-token', 'vol'), some(...sources))
    .map(([name, source]) => ({ name, ...source })),
  { maxLength: 4, selector: ({ name }) => name },
)
const annotations = fc
  .array(
    fc.oneof(
      fc.tuple(some(...prefixes), fc.constant('token-expiration'), some(...lives)),
      fc.tuple(some(...prefixes), fc.constant('skip-containers'), some(...csv)),
      fc.tuple(fc.constant('kubernetes.io'), some('config.seen', 'config.seen', 'config.mirror'), fc.constant('')),
      fc.tuple(some(...prefixes), fc.constant('role-arn'), some(...roles)),
    ),
    { maxLength: 4 },
  )
  .map(list => Object.fromEntries(list.map(([prefix, name, value]) => [`${prefix}/${name}`, value])))
const labels = fc.dictionary(
  some('l', 'eks.amazonaws.com/pod-identity', 'eks.amazonaws.com/skip-pod-identity-webhook'),
  some('x', 'no', 'enabled'),
)
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 6, arbitrary: value }, fc.constant(null))
const systems = some('windows', 'linux', 'Windows', 'windows ')
const pod: fc.Arbitrary<Tree> = fc
  .tuple(
    nullable(
      perhaps<Tree>({
        name: some('p'),
        generateName: some('p-'),
        namespace: some(...namespaces),
        annotations: nullable(annotations),
        labels: nullable(labels),
        ownerReferences: some([{ kind: 'Job', name: 'j' }]),
      }),
    ),
    some<unknown>(...names, ...names, ...names, ...names, '', null, undefined, 'nobody'),
    perhaps<Tree>({
      serviceAccount: some(...names),
      initContainers: listOf(containers),
      ephemeralContainers: listOf(containers),
      volumes: listOf(volumes),
      nodeSelector: nullable(fc.dictionary(some('kubernetes.io/os', 'beta.kubernetes.io/os', 'x'), systems, { maxKeys: 2 })),
      os: some({ name: 'windows' }),
      hostNetwork: fc.boolean(),
      securityContext: some<unknown>(null, {}, { fsGroup: 1 }),
      runtimeClassName: some('windows'),
      futureField: some<unknown>([[]], '\u0000'),
    }),
    listOf(containers),
    perhaps<Tree>({ apiVersion: some('v1'), kind: some('Pod', 'Deployment'), status: some({}, null), futureField: some(1) }),
  )
  .map(([metadata, serviceAccountName, spec, own, rest]) => ({
    ...rest,
    metadata,
    spec: { ...spec, ...given({ serviceAccountName }), containers: own },
  }))

const more = perhaps({
  operation: some('CREATE', 'UPDATE', 'CONNECT'),
  dryRun: fc.boolean(),
  subResource: some('', 'ephemeralcontainers', 'status'),
  oldObject: some<unknown>(null, { spec: { serviceAccountName: 'app' } }),
  name: some('p', ''),
  userInfo: some({ username: 'u', groups: null }),
  options: some<unknown>(null, { kind: 'CreateOptions' }),
  kind: some({ group: '', version: 'v1', kind: 'Pod' }, { group: 'apps', version: 'v1', kind: 'Deployment' }),
})

/** One world, and some reviews that it is asked about. */
export const asked: fc.Arbitrary<AskedWorld> = fc
  .tuple(
    flags,
    accounts,
    fc.option(configMap, { nil: undefined }),
    fc.uniqueArray(some(...everyName, 'ns1/nobody'), { maxLength: 4 }),
    fc.array(fc.record({ namespace: some(...namespaces, ...namespaces, '', undefined), more, pod }), {
      minLength: 1,
      maxLength: 12,
    }),
  )
  .map(([given, known, config, listed, asks]) => ({
    world: { flags: given, accounts: known, entries: config === undefined ? {} : config.entries, listed: new Set(listed) },
    configMap: config?.text,
    asks,
  }))
