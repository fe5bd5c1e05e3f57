// What a try of credentials says, by what AWS answers to each of its calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessTransport } from '#aws/client'
import { type HttpRequest, ManualClock, seededRandom } from '#base'
import { Undecided } from './refusal.ts'
import { tryAccess, unknown } from './try-access.ts'
import type { Tried, TryAccessOptions } from './try-options.ts'

const cluster = '222222222222'
const caller = `arn:aws:iam::${cluster}:user/dns`
const roleArn = 'arn:aws:iam::111111111111:role/dns'
const zoneRole = 'arn:aws:iam::333333333333:role/zone'
const zone = 'Z0123456789ABC'

/** An answer in XML, or a refusal by its code and message. */
type Answer = string | readonly [code: string, message?: string]
type Answers = Readonly<Record<string, Answer | ((call: Call) => Answer)>>

interface Call {
  readonly operation: string
  /** Whose keys the call carries. */
  readonly who: string
  readonly path: string
  readonly form: URLSearchParams
}

const keysOf = (id: string): string =>
  `<Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials>`
const zonesOf = (...ids: readonly string[]): string =>
  `<HostedZones>${ids.map(id => `<HostedZone><Id>/hostedzone/${id}</Id><Name>${id.toLowerCase()}.example.com.</Name><CallerReference>x</CallerReference></HostedZone>`).join('')}</HostedZones><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>`
const noRecords = '<ResourceRecordSets></ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>1</MaxItems>'
const decision = (word: string): string =>
  `<EvaluationResults><member><EvalActionName>x</EvalActionName><EvalDecision>${word}</EvalDecision></member></EvaluationResults>`

const good: Answers = {
  GetCallerIdentity: `<Arn>${caller}</Arn><UserId>u</UserId><Account>${cluster}</Account>`,
  AssumeRole: ({ form }) => keysOf(form.get('RoleArn') === zoneRole ? 'ZONE' : 'ROLE'),
  AssumeRoleWithWebIdentity: keysOf('WEB'),
  ListHostedZones: zonesOf(zone),
  ListResourceRecordSets: noRecords,
  SimulatePrincipalPolicy: decision('allowed'),
}

function operationOf({ target }: HttpRequest, form: URLSearchParams): string {
  return form.get('Action') ?? (/\/rrset/.test(target) ? 'ListResourceRecordSets' : 'ListHostedZones')
}

interface Wish extends Partial<Omit<TryAccessOptions, 'file'>> {
  readonly answers?: Answers
  readonly file?: string
}

async function attempt({
  answers = {},
  file,
  ...more
}: Wish = {}): Promise<{ readonly tried: Tried; readonly calls: readonly Call[] }> {
  const calls: Call[] = []
  const script = { ...good, ...answers }
  const transport = inProcessTransport(async request => {
    const body = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : ''
    const form = new URLSearchParams(body)
    const operation = operationOf(request, form)
    const signed = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    const who = /Credential=(\w+)\//.exec(String(signed))?.[1] ?? 'nobody'
    const call = { operation, who, path: request.target, form }
    calls.push(call)
    const held = script[operation] ?? ['NotExpected']
    const said = typeof held === 'function' ? held(call) : held
    const isRefused = typeof said !== 'string'
    const xml = isRefused
      ? `<ErrorResponse><Error><Type>Sender</Type><Code>${said[0]}</Code><Message>${said[1] ?? 'no'}</Message></Error><RequestId>r</RequestId></ErrorResponse>`
      : operation.startsWith('List')
        ? `<${operation}Response>${said}</${operation}Response>`
        : `<${operation}Response><${operation}Result>${said}</${operation}Result></${operation}Response>`
    return { status: isRefused ? 403 : 200, headers: { 'content-type': 'text/xml' }, body: Buffer.from(xml) }
  })
  const tried = await tryAccess({
    identity: { kind: 'file' },
    file: Buffer.from(file ?? '[default]\naws_access_key_id = BASE\naws_secret_access_key = b\n'),
    requestToken: async () => 'token',
    region: 'us-east-1',
    transport,
    clock: new ManualClock(),
    random: seededRandom(1),
    aws: {},
    zones: [zone],
    zoneRoles: {},
    discovery: undefined,
    simulates: false,
    signal: new AbortController().signal,
    ...more,
  } as TryAccessOptions)
  return { tried, calls }
}

const toldBy = ({ conditions }: Tried): readonly string[] =>
  conditions.map(({ type, status, reason, message }) => `${type} ${status}/${reason}: ${message}`)
const accepted = 'CredentialsValid True/Accepted: AWS accepts the credentials.'
const noRole = 'RoleAssumable True/NoRole: No role is assumed.'
const assumed = 'RoleAssumable True/Assumed: The role dns can be assumed.'
const readable = 'ZonesAccessible True/Readable: The zones can be read.'
const denied = ['AccessDenied', 'User: x is not authorized to perform: route53:ListHostedZones on resource: y'] as const
const bare = ['AccessDenied', 'no'] as const
const withRole = { aws: { assumeRole: { arn: roleArn } } } as const
const webIdentity = { identity: { kind: 'web-identity', roleArn, audience: 'a' } } as const
const looking = (known: object = {}, wish: object = {}): Wish => ({
  zones: [],
  discovery: { domains: [], zoneType: undefined, zoneTags: {}, known: { zones: [], doubted: [], ...known }, ...wish },
})
const many = Array.from({ length: 11 }, (_, index) => `Z00000000${String(index).padStart(2, '0')}`)
const cannot = (role: string, why: string): string => `The role ${role} cannot be assumed: ${why}.`
const byKeys = 'it has to exist, its trust policy has to name the credentials, and these need the right sts:AssumeRole'
const notAllowed = (who: string, action: string): string =>
  `ZonesAccessible False/AccessDenied: ${who} not allowed to perform ${action}`

const rows: readonly (readonly [what: string, wish: Wish, ...told: readonly string[]])[] = [
  ['all is well', {}, accepted, noRole, readable],
  ['all is well with a role', withRole, accepted, assumed, readable],
  [
    'only the pod has the credentials',
    { identity: { kind: 'pod' } },
    ...unknown('the credentials can only be tried from within the pod').map(
      ({ type, message }) => `${type} Unknown/NotChecked: ${message}`,
    ),
  ],
  [
    'the file is of no use',
    { file: '' },
    'CredentialsValid False/InvalidSecret: the key credentials has no usable profile default',
  ],
  [
    'the keys are nobody’s',
    { answers: { GetCallerIdentity: ['InvalidClientTokenId'] } },
    'CredentialsValid False/InvalidClientToken: no',
  ],
  [
    'the secret is another',
    { answers: { GetCallerIdentity: ['SignatureDoesNotMatch'] } },
    'CredentialsValid False/SignatureMismatch: no',
  ],
  ['the session is over', { answers: { GetCallerIdentity: ['ExpiredToken'] } }, 'CredentialsValid False/ExpiredToken: no'],
  ['the keys may not even ask', { answers: { GetCallerIdentity: bare } }, 'CredentialsValid False/InvalidClientToken: no'],
  [
    'the role does not trust the token',
    { ...webIdentity, answers: { AssumeRoleWithWebIdentity: bare } },
    `RoleAssumable False/TrustPolicyMismatch: The role dns cannot be assumed with a token of the operand: it has to exist, and its trust policy has to name the issuer, the audience and the ServiceAccount of the operand.`,
  ],
  [
    'the token is none',
    { ...webIdentity, answers: { AssumeRoleWithWebIdentity: ['InvalidIdentityToken'] } },
    'CredentialsValid False/InvalidClientToken: no',
  ],
  [
    'the role cannot be assumed',
    { ...withRole, answers: { AssumeRole: bare } },
    accepted,
    `RoleAssumable False/AccessDenied: ${cannot('dns', byKeys)}`,
  ],
  [
    'the role cannot be assumed with the external id',
    { aws: { assumeRole: { arn: roleArn, externalID: 'x' } }, answers: { AssumeRole: bare } },
    accepted,
    `RoleAssumable False/ExternalIDMismatch: ${cannot('dns', 'it has to exist, and its trust policy has to ask for this very external id and to name the credentials')}`,
  ],
  [
    'the role of a zone cannot be assumed',
    {
      ...withRole,
      zoneRoles: { [zone]: zoneRole },
      answers: { AssumeRole: ({ form }) => (form.get('RoleArn') === zoneRole ? bare : keysOf('ROLE')) },
    },
    accepted,
    `RoleAssumable False/AccessDenied: ${cannot('zone', byKeys)}`,
  ],
  [
    'the role of the object cannot be assumed and that of a zone can',
    {
      ...withRole,
      zoneRoles: { [zone]: zoneRole },
      answers: { AssumeRole: ({ form }) => (form.get('RoleArn') === roleArn ? bare : keysOf('ZONE')) },
    },
    accepted,
    `RoleAssumable False/AccessDenied: ${cannot('dns', byKeys)}`,
  ],
  [
    'only a zone has a role',
    { zoneRoles: { [zone]: zoneRole } },
    accepted,
    'RoleAssumable True/Assumed: The role zone can be assumed.',
    readable,
  ],
  [
    'the account has no zone',
    { answers: { ListHostedZones: zonesOf() } },
    accepted,
    noRole,
    'ZonesAccessible False/NoZonesFound: The account has no hosted zone.',
  ],
  [
    'zones may not be listed',
    { answers: { ListHostedZones: denied } },
    accepted,
    noRole,
    notAllowed('the credentials are', 'route53:ListHostedZones'),
  ],
  [
    'zones may not be listed with the role',
    { ...withRole, answers: { ListHostedZones: bare } },
    accepted,
    assumed,
    notAllowed('assumed role is', 'route53:ListHostedZones'),
  ],
  [
    'records may not be listed',
    { answers: { ListResourceRecordSets: bare } },
    accepted,
    noRole,
    notAllowed('the credentials are', 'route53:ListResourceRecordSets'),
  ],
  [
    'the zone is not there',
    { answers: { ListResourceRecordSets: ['NoSuchHostedZone'] } },
    accepted,
    noRole,
    `ZonesAccessible False/NoSuchHostedZone: The zone ${zone} does not exist in the account.`,
  ],
  ['the end of an id is that of a zone', { zones: ['789ABC'] }, accepted, noRole, readable],
  [
    'the end of an id is nobody’s',
    { zones: ['789ABD'] },
    accepted,
    noRole,
    'ZonesAccessible False/NoSuchHostedZone: The zone 789ABD does not exist in the account.',
  ],
  [
    'records may not be changed',
    { simulates: true, answers: { SimulatePrincipalPolicy: decision('implicitDeny') } },
    accepted,
    noRole,
    notAllowed('the credentials are', 'route53:ChangeResourceRecordSets'),
  ],
  [
    'nobody may ask whether records may be changed',
    { simulates: true, answers: { SimulatePrincipalPolicy: bare } },
    accepted,
    noRole,
    readable,
  ],
  ['records may be changed', { simulates: true }, accepted, noRole, readable],
  ['zones are found', looking(), accepted, noRole, readable],
  [
    'no zone is found',
    { ...looking(), answers: { ListHostedZones: zonesOf() } },
    accepted,
    noRole,
    'ZonesAccessible False/NoZonesFound: No hosted zone fits the domains.',
  ],
  ['ten zones are found', { ...looking(), answers: { ListHostedZones: zonesOf(...many.slice(1)) } }, accepted, noRole, readable],
  [
    'eleven zones are found',
    { ...looking(), answers: { ListHostedZones: zonesOf(...many) } },
    accepted,
    noRole,
    'ZonesAccessible False/TooManyZones: 11 zones fit the domains, and an object has at most 10: name domains, zoneType or zoneTags so that fewer fit, or the zones themselves.',
  ],
]

for (const [what, wish, ...told] of rows)
  test(`where ${what}, that is said [13.3, 17.8]`, async () => assert.deepEqual(toldBy((await attempt(wish)).tried), told))

test('of the caller a hash is known and of the role its name, and neither of an account', async () => {
  const { conditions: _conditions, ...known } = (await attempt(withRole)).tried
  assert.deepEqual(known, { callerArnHash: '2f6e7e2dd1155b56', assumedRole: 'dns' })
  const { conditions: _also, ...single } = (await attempt({ zoneRoles: { [zone]: zoneRole } })).tried
  assert.deepEqual(single, { ...known, assumedRole: 'zone' })
  const { conditions: _none, ...own } = (await attempt()).tried
  assert.deepEqual(own, { callerArnHash: known.callerArnHash })
})

for (const [what, wish, found] of [
  ['are known', looking({ zones: ['Z00000000X'] }), { zones: ['Z00000000X', zone], doubted: ['Z00000000X'] }],
  ['are not, for the second time', looking({ zones: ['Z00000000X'], doubted: ['Z00000000X'] }), { zones: [zone], doubted: [] }],
  [
    'would be more than ten',
    { ...looking({ zones: ['Z00000000X'] }), answers: { ListHostedZones: zonesOf(...many.slice(1)) } },
    { zones: ['Z00000000X', ...many.slice(1, 10)], doubted: ['Z00000000X'] },
  ],
  ['are none', { ...looking(), answers: { ListHostedZones: zonesOf() } }, { zones: [], doubted: [] }],
] as const)
  test(`zones that ${what} are known for the next look`, async () => assert.deepEqual((await attempt(wish)).tried.found, found))

test('each call is made with the keys of whom the operand has for it', async () => {
  const made = async (wish: Wish): Promise<readonly string[]> =>
    (await attempt(wish)).calls.map(({ operation, who }) => `${operation} ${who}`)
  assert.deepEqual(
    await made({ ...withRole, zoneRoles: { Z00000000X: zoneRole }, zones: [zone, 'Z00000000X'], simulates: true }),
    [
      'GetCallerIdentity BASE',
      'AssumeRole BASE',
      'AssumeRole BASE',
      'ListHostedZones ROLE',
      'ListResourceRecordSets ROLE',
      'ListResourceRecordSets ZONE',
      'SimulatePrincipalPolicy ROLE',
    ],
  )
  assert.deepEqual(await made(webIdentity), [
    'AssumeRoleWithWebIdentity nobody',
    'GetCallerIdentity WEB',
    'ListHostedZones WEB',
    'ListResourceRecordSets WEB',
  ])
})

test('IAM is asked about the role, or about whoever calls', async () => {
  const askedFor = async (wish: Wish): Promise<unknown> =>
    (await attempt({ ...wish, simulates: true })).calls.at(-1)?.form.get('PolicySourceArn')
  assert.equal(await askedFor(withRole), roleArn)
  assert.equal(await askedFor({}), caller)
})

test('of zones that are written no more than one is listed, and one record of each', async () => {
  const { calls } = await attempt({ zones: [zone, `/hostedzone/${zone}`] })
  assert.deepEqual(
    calls.map(({ path }) => path).filter(path => path.includes('hostedzone')),
    [
      '/2013-04-01/hostedzone?maxitems=1',
      `/2013-04-01/hostedzone/${zone}/rrset?maxitems=1`,
      `/2013-04-01/hostedzone/${zone}/rrset?maxitems=1`,
    ],
  )
})

for (const operation of ['GetCallerIdentity', 'AssumeRole', 'ListHostedZones', 'ListResourceRecordSets'])
  test(`where ${operation} is not answered, nothing is decided`, async () => {
    const answers = { [operation]: (): Answer => assert.fail('the line is cut') }
    await assert.rejects(attempt({ ...withRole, answers }), Undecided)
  })
