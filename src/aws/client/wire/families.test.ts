// One made-up service spoken in every protocol family: the same values, and the wire that each family's rules ask for. Requests are
// compared as text, answers as values. (Six real services are compared with the SDK's clients in sdk-parity.test.ts.)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpRequest, type HttpResponse, ManualClock, seededRandom } from '#base'
import { AwsError } from '../../errors/aws-error.ts'
import type { Operation, Protocol, ServiceModel, Shape } from '../../model/service-model.ts'
import { createAwsClient } from '../client.ts'
import { anonymous, staticCredentials } from '../credentials/credentials.ts'
import { inProcessTransport } from '../transport/transport.ts'
import type { Values } from './protocols.ts'

const string: Shape = { type: 'string' }

const shapes: Readonly<Record<string, Shape>> = {
  String: string,
  Integer: { type: 'integer' },
  Double: { type: 'double' },
  Boolean: { type: 'boolean' },
  Blob: { type: 'blob' },
  Time: { type: 'timestamp' },
  Epoch: { type: 'timestamp', format: 'epoch-seconds' },
  HttpDate: { type: 'timestamp', format: 'http-date' },
  Iso: { type: 'timestamp', format: 'date-time' },
  Json: { type: 'string', mediaType: 'application/json' },
  List: { type: 'list', member: { target: 'String' } },
  Named: { type: 'list', member: { target: 'String', locationName: 'item' } },
  Inners: { type: 'list', member: { target: 'Inner' } },
  Times: { type: 'list', member: { target: 'Time' } },
  Map: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
  InnerMap: { type: 'map', key: { target: 'String', locationName: 'K' }, value: { target: 'Inner', locationName: 'V' } },
  Inner: { type: 'structure', members: { Name: { target: 'String' }, Next: { target: 'Inner' } }, required: [] },
  Choice: { type: 'union', members: { Text: { target: 'String' }, Number: { target: 'Integer' } }, required: [] },
  Body: {
    type: 'structure',
    members: {
      Text: { target: 'String', locationName: 'text' },
      Whole: { target: 'Integer' },
      Ratio: { target: 'Double' },
      Flag: { target: 'Boolean' },
      Bytes: { target: 'Blob' },
      At: { target: 'Time' },
      AtEpoch: { target: 'Epoch' },
      AtHttp: { target: 'HttpDate' },
      AtIso: { target: 'Iso' },
      List: { target: 'List' },
      Named: { target: 'Named' },
      Flat: { target: 'List', flattened: true, locationName: 'FlatItem' },
      Inners: { target: 'Inners' },
      Map: { target: 'Map' },
      FlatMap: { target: 'InnerMap', flattened: true },
      Inner: { target: 'Inner' },
      Choice: { target: 'Choice' },
    },
    required: [],
  },
  Bound: {
    type: 'structure',
    members: {
      Label: { target: 'String', location: 'uri' },
      Rest: { target: 'String', location: 'uri' },
      Query: { target: 'String', location: 'querystring', locationName: 'q' },
      Many: { target: 'List', location: 'querystring', locationName: 'm' },
      Spread: { target: 'Map', location: 'querystring' },
      Header: { target: 'String', location: 'header', locationName: 'x-header' },
      When: { target: 'Time', location: 'header', locationName: 'x-when' },
      Items: { target: 'List', location: 'header', locationName: 'x-items' },
      Media: { target: 'Json', location: 'header', locationName: 'x-media' },
      Prefixed: { target: 'Map', location: 'headers', locationName: 'x-p-' },
      Status: { target: 'Integer', location: 'statusCode' },
      Payload: { target: 'Inner', locationName: 'Root' },
    },
    required: ['Label', 'Rest'],
    payload: 'Payload',
  },
  Raw: { type: 'structure', members: { Data: { target: 'Blob' } }, required: [], payload: 'Data' },
  Refused: {
    type: 'structure',
    members: { Message: { target: 'String' }, Hint: { target: 'String' } },
    required: [],
    error: { code: 'Refused.Legacy', fault: 'client', httpStatus: 409 },
  },
}

const operation = (name: string, http: Operation['http'], shape: string): Operation => ({
  name,
  http,
  input: shape,
  output: shape,
  errors: ['Refused'],
})

function model(protocol: Protocol): ServiceModel {
  return {
    id: `Family ${protocol}`,
    apiVersion: '2020-01-01',
    protocol,
    endpointPrefix: 'family',
    signingName: 'family',
    targetPrefix: 'FamilyV1',
    xmlNamespace: 'http://family/',
    operations: {
      Echo: operation('Echo', { method: 'POST', uri: '/echo', code: 200 }, 'Body'),
      Bind: operation('Bind', { method: 'PUT', uri: '/b/{Label}/{Rest+}?fixed', code: 200 }, 'Bound'),
      Raw: operation('Raw', { method: 'PUT', uri: '/raw', code: 200 }, 'Raw'),
    },
    shapes,
  }
}

interface Exchange {
  readonly request: HttpRequest
  readonly body: string
  readonly result: Promise<Values>
}

/** Sends the input and gives what went over the wire, and what was made of the answer. */
async function exchange(
  protocol: Protocol,
  operationName: string,
  { input, answer }: { input: Values; answer: HttpResponse },
): Promise<Exchange> {
  const seen: HttpRequest[] = []
  const client = createAwsClient({
    model: model(protocol),
    region: 'eu-west-1',
    credentials: staticCredentials(anonymous),
    clock: new ManualClock(),
    random: seededRandom(1),
    triesMax: 1,
    transport: inProcessTransport(async request => {
      seen.push(request)
      return answer
    }),
  })
  const result = client.call(operationName, input)
  await result.catch((error: unknown) => {
    if (seen.length === 0) throw error
  })
  const [request] = seen as [HttpRequest]
  return { request, body: Buffer.from((request.body as Uint8Array | null) ?? '').toString('utf8'), result }
}

const reply = (text: string, status = 200, headers = {}): HttpResponse => ({ status, headers, body: Buffer.from(text) })
const empty = reply('')
const at = new Date('2026-01-02T03:04:05.678Z')
const whole = new Date('2026-01-02T03:04:05Z')

const everything: Values = {
  Text: 'a & b <"ü">',
  Whole: -7,
  Ratio: 0.5,
  Flag: false,
  Bytes: Buffer.from([0, 255]),
  At: at,
  AtEpoch: whole,
  AtHttp: whole,
  AtIso: at,
  List: ['x', ''],
  Named: ['n'],
  Flat: ['f1', 'f2'],
  Inners: [{ Name: 'i', Next: { Name: 'j' } }, {}],
  Map: { k: 'v' },
  FlatMap: { key: { Name: 'm' } },
  Inner: { Name: 'deep', Next: { Next: { Name: 'deeper' } } },
  Choice: { Number: 3 },
}

test('query: keys with dots, lists by number, maps by entry, times in ISO form', async () => {
  const { request, body } = await exchange('query', 'Echo', { input: everything, answer: empty })
  assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(`${request.method} ${request.target}`, 'POST /')
  assert.deepEqual(body.split('&').map(decodeURIComponent), [
    'Action=Echo',
    'Version=2020-01-01',
    'text=a & b <"ü">',
    'Whole=-7',
    'Ratio=0.5',
    'Flag=false',
    'Bytes=AP8=',
    'At=2026-01-02T03:04:05.678Z',
    'AtEpoch=1767323045',
    'AtHttp=Fri, 02 Jan 2026 03:04:05 GMT',
    'AtIso=2026-01-02T03:04:05.678Z',
    'List.member.1=x',
    'List.member.2=',
    'Named.item.1=n',
    'FlatItem.1=f1',
    'FlatItem.2=f2',
    'Inners.member.1.Name=i',
    'Inners.member.1.Next.Name=j',
    'Map.entry.1.key=k',
    'Map.entry.1.value=v',
    'FlatMap.1.K=key',
    'FlatMap.1.V.Name=m',
    'Inner.Name=deep',
    'Inner.Next.Next.Name=deeper',
    'Choice.Number=3',
  ])
  const none = await exchange('query', 'Echo', { input: { List: [] }, answer: empty })
  assert.equal(none.body, 'Action=Echo&Version=2020-01-01&List=')
})

const xmlMembers =
  '<text>a &amp; b &lt;&quot;ü&quot;&gt;</text><Whole>-7</Whole><Ratio>0.5</Ratio><Flag>false</Flag><Bytes>AP8=</Bytes>' +
  '<At>2026-01-02T03:04:05.678Z</At><AtEpoch>1767323045</AtEpoch><AtHttp>Fri, 02 Jan 2026 03:04:05 GMT</AtHttp>' +
  '<AtIso>2026-01-02T03:04:05.678Z</AtIso>'
const xmlCollections = (element: string): string =>
  `<List><${element}>x</${element}><${element}></${element}></List><Named><item>n</item></Named><FlatItem>f1</FlatItem><FlatItem>f2</FlatItem>` +
  `<Inners><${element}><Name>i</Name><Next><Name>j</Name></Next></${element}><${element}/></Inners>` +
  '<Map><entry><key>k</key><value>v</value></entry></Map><FlatMap><K>key</K><V><Name>m</Name></V></FlatMap>' +
  '<Inner><Name>deep</Name><Next><Next><Name>deeper</Name></Next></Next></Inner><Choice><Number>3</Number></Choice>'

test('query: an answer is read from its result element', async () => {
  const text = `<EchoResponse xmlns="http://family/"><EchoResult>${xmlMembers}${xmlCollections('member')}</EchoResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></EchoResponse>`
  const { result } = await exchange('query', 'Echo', { input: {}, answer: reply(text) })
  assert.deepEqual(plain(await result), plain(everything))
})

test('EC2 query: lists are always flat, and first letters of keys are capitals', async () => {
  const { body } = await exchange('ec2', 'Echo', {
    input: { Text: 't', List: ['x', 'y'], Inners: [{ Name: 'i' }] },
    answer: empty,
  })
  assert.equal(body, 'Action=Echo&Version=2020-01-01&Text=t&List.1=x&List.2=y&Inners.1.Name=i')
  const answer = reply(
    '<EchoResponse xmlns="http://family/"><requestId>r</requestId><text>t</text><Named><item>n</item></Named></EchoResponse>',
  )
  const { result } = await exchange('ec2', 'Echo', { input: {}, answer })
  assert.deepEqual(await result, { Text: 't', Named: ['n'] })
})

test('REST-XML: a document with the rules of the model', async () => {
  const { request, body, result } = await exchange('rest-xml', 'Echo', {
    input: everything,
    answer: reply(`<Body xmlns="http://family/">${xmlMembers}${xmlCollections('member')}</Body>`),
  })
  assert.equal(`${request.method} ${request.target}`, 'POST /echo')
  assert.equal(
    body.replaceAll('<member/>', '<member></member>'),
    `<?xml version="1.0" encoding="UTF-8"?><Body xmlns="http://family/">${xmlMembers}${xmlCollections('member')}</Body>`.replaceAll(
      '<member/>',
      '<member></member>',
    ),
  )
  assert.deepEqual(plain(await result), plain(everything))
})

test('JSON: names of members, times as seconds, bytes in base64', async () => {
  const { request, body, result } = await exchange('json-1.1', 'Echo', {
    input: everything,
    answer: reply(
      '{"text":"not this name","Text":"a & b <\\"ü\\">","Whole":-7,"Ratio":0.5,"Flag":false,"Bytes":"AP8=","At":1767323045.678,"AtEpoch":1767323045,' +
        '"AtHttp":"Fri, 02 Jan 2026 03:04:05 GMT","AtIso":"2026-01-02T03:04:05.678Z","List":["x",""],"Named":["n"],"Flat":["f1","f2"],' +
        '"Inners":[{"Name":"i","Next":{"Name":"j"}},{}],"Map":{"k":"v"},"FlatMap":{"key":{"Name":"m"}},"Inner":{"Name":"deep","Next":{"Next":{"Name":"deeper"}}},' +
        '"Choice":{"__type":"x","Number":3},"Unknown":1,"Empty":null}',
    ),
  })
  assert.deepEqual(
    [`${request.method} ${request.target}`, request.headers['content-type'], request.headers['x-amz-target']],
    ['POST /', 'application/x-amz-json-1.1', 'FamilyV1.Echo'],
  )
  assert.deepEqual(JSON.parse(body), {
    Text: 'a & b <"ü">',
    Whole: -7,
    Ratio: 0.5,
    Flag: false,
    Bytes: 'AP8=',
    At: 1767323045.678,
    AtEpoch: 1767323045,
    AtHttp: 'Fri, 02 Jan 2026 03:04:05 GMT',
    AtIso: '2026-01-02T03:04:05.678Z',
    List: ['x', ''],
    Named: ['n'],
    Flat: ['f1', 'f2'],
    Inners: [{ Name: 'i', Next: { Name: 'j' } }, {}],
    Map: { k: 'v' },
    FlatMap: { key: { Name: 'm' } },
    Inner: { Name: 'deep', Next: { Next: { Name: 'deeper' } } },
    Choice: { Number: 3 },
  })
  assert.deepEqual(plain(await result), plain(everything))
  const { body: nothing, request: old } = await exchange('json-1.0', 'Echo', { input: {}, answer: empty })
  assert.deepEqual([nothing, old.headers['content-type']], ['{}', 'application/x-amz-json-1.0'])
})

test('JSON: numbers that JSON lacks go as words', async () => {
  for (const [value, word] of [
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ] as const) {
    const { body, result } = await exchange('json-1.0', 'Echo', { input: { Ratio: value }, answer: reply(`{"Ratio":"${word}"}`) })
    assert.equal(body, `{"Ratio":"${word}"}`)
    assert.deepEqual(await result, { Ratio: value })
  }
})

test('REST-JSON: names of the wire, and no body where nothing is bound to it', async () => {
  const { body, result } = await exchange('rest-json', 'Echo', { input: { Text: 't', At: at }, answer: reply('{"text":"u"}') })
  assert.equal(body, '{"text":"t","At":1767323045.678}')
  assert.deepEqual(await result, { Text: 'u' })
})

test('CBOR: the path names service and operation, and values survive the way', async () => {
  const first = await exchange('cbor', 'Echo', { input: everything, answer: empty })
  const headers = { 'smithy-protocol': 'rpc-v2-cbor', 'content-type': 'application/cbor' }
  const echoed: HttpResponse = { status: 200, headers, body: first.request.body as Uint8Array }
  assert.equal(first.request.target, '/service/FamilyV1/operation/Echo')
  assert.equal(first.request.headers['smithy-protocol'], 'rpc-v2-cbor')
  // The request's body is a valid answer: both are the same structure.
  const { result } = await exchange('cbor', 'Echo', { input: {}, answer: echoed })
  assert.deepEqual(plain(await result), plain(everything))
})

for (const protocol of ['rest-xml', 'rest-json'] as const) {
  test(`${protocol}: labels, queries, headers and payload go where the model binds them`, async () => {
    const input = {
      Label: 'a/b c?%é',
      Rest: 'x/y z/../w',
      Query: 'q&=',
      Many: ['1', '2'],
      Spread: { s1: 'v1', q: 'not over a named one' },
      Header: 'h',
      When: whole,
      Items: ['one', 'two, three'],
      Media: { j: 1 },
      Prefixed: { a: '1', b: '2' },
      Payload: { Name: 'p' },
    }
    const { request, body } = await exchange(protocol, 'Bind', { input, answer: empty })
    assert.equal(request.target, '/b/a%2Fb%20c%3F%25%C3%A9/x/y%20z/../w?fixed=&m=1&m=2&q=q%26%3D&s1=v1')
    const { headers } = request
    assert.deepEqual(
      [headers['x-header'], headers['x-when'], headers['x-items'], headers['x-p-a'], headers['x-p-b']],
      ['h', 'Fri, 02 Jan 2026 03:04:05 GMT', 'one, "two, three"', '1', '2'],
    )
    assert.equal(Buffer.from(String(headers['x-media']), 'base64').toString(), '{"j":1}')
    const expected =
      protocol === 'rest-json'
        ? '{"Name":"p"}'
        : '<?xml version="1.0" encoding="UTF-8"?><Root xmlns="http://family/"><Name>p</Name></Root>'
    assert.equal(body, expected)
    const bare = await exchange(protocol, 'Bind', { input: { Label: 'l', Rest: 'r' }, answer: empty })
    assert.equal(bare.request.target, '/b/l/r?fixed=')
  })

  test(`${protocol}: status, headers and payload of an answer come back as members`, async () => {
    const text = protocol === 'rest-json' ? '{"Name":"p"}' : '<Root><Name>p</Name></Root>'
    const headers = {
      'x-header': 'h',
      'x-when': 'Fri, 02 Jan 2026 03:04:05 GMT',
      'x-items': 'one, "two, three"',
      'x-p-a': '1',
      'x-media': Buffer.from('{"j":1}').toString('base64'),
    }
    const { result } = await exchange(protocol, 'Bind', { input: { Label: 'l', Rest: 'r' }, answer: reply(text, 202, headers) })
    const { Media, ...rest } = await result
    assert.deepEqual(rest, {
      Status: 202,
      Header: 'h',
      When: whole,
      Items: ['one', 'two, three'],
      Prefixed: { a: '1' },
      Payload: { Name: 'p' },
    })
    assert.equal(String(Media), '{"j":1}')
  })

  test(`${protocol}: a payload of bytes is the body itself`, async () => {
    const bytes = Buffer.from([0, 1, 254, 255])
    const { request, result } = await exchange(protocol, 'Raw', {
      input: { Data: bytes },
      answer: { status: 200, headers: {}, body: bytes },
    })
    assert.deepEqual([...(request.body as Uint8Array)], [...bytes])
    assert.deepEqual([...((await result)['Data'] as Uint8Array)], [...bytes])
  })
}

const refusals: readonly (readonly [Protocol, HttpResponse])[] = [
  [
    'query',
    reply(
      '<ErrorResponse><Error><Type>Sender</Type><Code>Refused.Legacy</Code><Message>no</Message><Hint>h</Hint></Error><RequestId>r</RequestId></ErrorResponse>',
      409,
    ),
  ],
  [
    'ec2',
    reply(
      '<Response><Errors><Error><Code>Refused.Legacy</Code><Message>no</Message><Hint>h</Hint></Error></Errors><RequestID>r</RequestID></Response>',
      409,
    ),
  ],
  [
    'rest-xml',
    reply(
      '<ErrorResponse><Error><Type>Sender</Type><Code>Refused</Code><Message>no</Message><Hint>h</Hint></Error><RequestId>r</RequestId></ErrorResponse>',
      409,
    ),
  ],
  ['rest-json', reply('{"Message":"no","Hint":"h"}', 409, { 'x-amzn-errortype': 'Refused' })],
  ['rest-json', reply('{"code":"Refused","Message":"no","Hint":"h"}', 409)],
  ['json-1.0', reply('{"__type":"com.example#Refused","Message":"no","Hint":"h"}', 409)],
  ['json-1.1', reply('{"__type":"Refused","message":"no","Hint":"h"}', 409)],
]

for (const [protocol, answer] of refusals) {
  test(`${protocol}: a modelled error has its code, its words and its members (${JSON.stringify(answer.headers)})`, async () => {
    const { result } = await exchange(protocol, 'Echo', { input: {}, answer })
    const error = await result.then(
      () => assert.fail('it worked'),
      (failure: unknown) => failure,
    )
    assert.ok(error instanceof AwsError, String(error))
    assert.match(error.code, /^Refused(\.Legacy)?$/)
    assert.deepEqual([error.message, error.httpStatus, error.detail['Hint']], ['no', 409, 'h'])
  })
}

/** Class instances of the SDK's readers down to plain values. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
