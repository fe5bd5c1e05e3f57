import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ShippedService, serviceModel, shippedServices } from '#aws'
import { ModelError, type ModelErrorCode } from './model-error.ts'
import { pruneModel } from './prune.ts'
import { readModel } from './read-model.ts'
import { checkReferences } from './references.ts'

// One REST-XML service in both formats: a bucket-like thing with every binding that differs between them.
const smithy = {
  smithy: '2.0',
  shapes: {
    'com.amazonaws.shelf#Shelf': {
      type: 'service',
      version: '2020-01-01',
      operations: [{ target: 'com.amazonaws.shelf#PutBook' }],
      errors: [{ target: 'com.amazonaws.shelf#Slow' }],
      traits: {
        'aws.api#service': { sdkId: 'Shelf', endpointPrefix: 'shelf' },
        'aws.auth#sigv4': { name: 'shelf-sign' },
        'aws.protocols#restXml': {},
        'smithy.api#title': 'Amazon Shelf',
        'smithy.api#xmlNamespace': { uri: 'http://shelf/' },
      },
    },
    'com.amazonaws.shelf#PutBook': {
      type: 'operation',
      input: { target: 'com.amazonaws.shelf#PutBookRequest' },
      output: { target: 'com.amazonaws.shelf#PutBookOutput' },
      errors: [{ target: 'com.amazonaws.shelf#NoSuchShelf' }],
      traits: {
        'smithy.api#http': { method: 'PUT', uri: '/{Shelf}/{Title+}?book', code: 201 },
        'smithy.api#httpChecksumRequired': {},
        'smithy.api#idempotent': {},
      },
    },
    'com.amazonaws.shelf#ListBooks': {
      type: 'operation',
      input: { target: 'com.amazonaws.shelf#ListBooksRequest' },
      output: { target: 'com.amazonaws.shelf#ListBooksResponse' },
      traits: {
        'smithy.api#http': { method: 'GET', uri: '/', code: 200 },
        'smithy.api#paginated': { inputToken: 'Marker', outputToken: 'Next', items: 'Books', pageSize: 'Max' },
        'smithy.api#readonly': {},
      },
    },
    'com.amazonaws.shelf#Ping': {
      type: 'operation',
      input: { target: 'smithy.api#Unit' },
      output: { target: 'smithy.api#Unit' },
      traits: { 'smithy.api#http': { method: 'HEAD', uri: '/', code: 200 }, 'smithy.api#optionalAuth': {} },
    },
    'com.amazonaws.shelf#PutBookRequest': {
      type: 'structure',
      members: {
        Shelf: { target: 'com.amazonaws.shelf#Name', traits: { 'smithy.api#required': {}, 'smithy.api#httpLabel': {} } },
        Title: { target: 'com.amazonaws.shelf#Name', traits: { 'smithy.api#required': {}, 'smithy.api#httpLabel': {} } },
        Token: {
          target: 'com.amazonaws.shelf#Name',
          traits: { 'smithy.api#httpHeader': 'x-token', 'smithy.api#idempotencyToken': {} },
        },
        Meta: { target: 'com.amazonaws.shelf#Meta', traits: { 'smithy.api#httpPrefixHeaders': 'x-meta-' } },
        Filter: { target: 'com.amazonaws.shelf#Meta', traits: { 'smithy.api#httpQueryParams': {} } },
        Body: { target: 'com.amazonaws.shelf#Body', traits: { 'smithy.api#httpPayload': {} } },
      },
    },
    'com.amazonaws.shelf#PutBookOutput': {
      type: 'structure',
      members: {
        Status: { target: 'smithy.api#Integer', traits: { 'smithy.api#httpResponseCode': {} } },
        At: { target: 'com.amazonaws.shelf#At' },
        Kind: { target: 'com.amazonaws.shelf#Kind', traits: { 'smithy.api#xmlAttribute': {}, 'smithy.api#xmlName': 'x:kind' } },
        Anything: { target: 'smithy.api#Document' },
      },
      traits: { 'smithy.api#xmlName': 'PutBookResult' },
    },
    'com.amazonaws.shelf#ListBooksRequest': {
      type: 'structure',
      members: {
        Marker: { target: 'com.amazonaws.shelf#Name', traits: { 'smithy.api#httpQuery': 'marker' } },
        Max: { target: 'com.amazonaws.shelf#Max', traits: { 'smithy.api#httpQuery': 'Max' } },
      },
    },
    'com.amazonaws.shelf#ListBooksResponse': {
      type: 'structure',
      members: {
        Books: { target: 'com.amazonaws.shelf#Books', traits: { 'smithy.api#xmlFlattened': {}, 'smithy.api#xmlName': 'Book' } },
        Names: { target: 'com.amazonaws.shelf#Names' },
        Next: { target: 'com.amazonaws.shelf#Name' },
      },
    },
    'com.amazonaws.shelf#Books': { type: 'list', member: { target: 'com.amazonaws.shelf#Book' } },
    'com.amazonaws.shelf#Names': {
      type: 'list',
      member: { target: 'com.amazonaws.shelf#Name', traits: { 'smithy.api#xmlName': 'n' } },
      traits: { 'smithy.api#length': { min: 0, max: 3 }, 'smithy.api#sparse': {} },
    },
    'com.amazonaws.shelf#Book': {
      type: 'union',
      members: {
        Paper: { target: 'com.amazonaws.shelf#Name' },
        Next: { target: 'com.amazonaws.shelf#Book', traits: { 'smithy.api#deprecated': {} } },
      },
    },
    'com.amazonaws.shelf#Meta': {
      type: 'map',
      key: { target: 'com.amazonaws.shelf#Name' },
      value: { target: 'com.amazonaws.shelf#Name' },
    },
    'com.amazonaws.shelf#Name': {
      type: 'string',
      traits: {
        'smithy.api#length': { min: 1, max: 64 },
        'smithy.api#pattern': '^[a-z]+$',
        'smithy.api#documentation': 'A name.',
      },
    },
    'com.amazonaws.shelf#Kind': {
      type: 'enum',
      members: { A: { target: 'smithy.api#Unit', traits: { 'smithy.api#enumValue': 'a' } }, B: { target: 'smithy.api#Unit' } },
    },
    'com.amazonaws.shelf#Max': { type: 'integer', traits: { 'smithy.api#range': { min: 0, max: 10 } } },
    'com.amazonaws.shelf#Body': { type: 'blob', traits: { 'smithy.api#streaming': {}, 'smithy.api#sensitive': {} } },
    'com.amazonaws.shelf#At': { type: 'timestamp', traits: { 'smithy.api#timestampFormat': 'http-date' } },
    'com.amazonaws.shelf#NoSuchShelf': {
      type: 'structure',
      members: { Message: { target: 'com.amazonaws.shelf#Name' } },
      traits: { 'smithy.api#error': 'client', 'smithy.api#httpError': 404 },
    },
    'com.amazonaws.shelf#Slow': {
      type: 'structure',
      members: {},
      traits: { 'smithy.api#error': 'server', 'smithy.api#httpError': 503, 'smithy.api#retryable': { throttling: true } },
    },
    'com.amazonaws.shelf#Unused': { type: 'boolean' },
  },
}

const c2j = {
  metadata: {
    apiVersion: '2020-01-01',
    endpointPrefix: 'shelf',
    protocol: 'rest-xml',
    serviceFullName: 'Amazon Shelf',
    serviceId: 'Shelf',
    signingName: 'shelf-sign',
  },
  operations: {
    PutBook: {
      name: 'PutBook',
      http: { method: 'PUT', requestUri: '/{shelf-name}/{Title+}?book', responseCode: 201 },
      input: { shape: 'PutBookRequest', locationName: 'PutBookRequest', xmlNamespace: { uri: 'http://shelf/' } },
      output: { shape: 'PutBookOutput' },
      errors: [{ shape: 'NoSuchShelf' }, { shape: 'Slow' }],
      httpChecksumRequired: true,
      idempotent: true,
    },
    ListBooks: {
      name: 'ListBooks',
      http: { method: 'GET', requestUri: '/' },
      input: { shape: 'ListBooksRequest' },
      output: { shape: 'ListBooksResponse' },
      errors: [{ shape: 'Slow' }],
      readonly: true,
    },
    Ping: { name: 'Ping', http: { method: 'HEAD', requestUri: '/' }, authtype: 'none', errors: [{ shape: 'Slow' }] },
  },
  shapes: {
    PutBookRequest: {
      type: 'structure',
      required: ['Shelf', 'Title'],
      members: {
        Shelf: { shape: 'Name', location: 'uri', locationName: 'shelf-name' },
        Title: { shape: 'Name', location: 'uri', locationName: 'Title' },
        Token: { shape: 'Name', location: 'header', locationName: 'x-token', idempotencyToken: true },
        Meta: { shape: 'Meta', location: 'headers', locationName: 'x-meta-' },
        Filter: { shape: 'Meta', location: 'querystring', locationName: 'Filter' },
        Body: { shape: 'Body', streaming: true },
      },
      payload: 'Body',
    },
    PutBookOutput: {
      type: 'structure',
      locationName: 'PutBookResult',
      members: {
        Status: { shape: 'Integer', location: 'statusCode' },
        At: { shape: 'At' },
        Kind: { shape: 'Kind', xmlAttribute: true, locationName: 'x:kind' },
        Anything: { shape: 'Document' },
      },
    },
    ListBooksRequest: {
      type: 'structure',
      members: {
        Marker: { shape: 'Name', location: 'querystring', locationName: 'marker' },
        Max: { shape: 'Max', location: 'querystring', locationName: 'Max' },
      },
    },
    ListBooksResponse: {
      type: 'structure',
      members: { Books: { shape: 'Books' }, Names: { shape: 'Names' }, Next: { shape: 'Name' } },
    },
    Books: { type: 'list', member: { shape: 'Book', locationName: 'Book' }, flattened: true },
    Names: { type: 'list', member: { shape: 'Name', locationName: 'n' }, max: 3, min: 0, sparse: true },
    Book: { type: 'structure', union: true, members: { Paper: { shape: 'Name' }, Next: { shape: 'Book', deprecated: true } } },
    Meta: { type: 'map', key: { shape: 'Name' }, value: { shape: 'Name' } },
    Name: { type: 'string', min: 1, max: 64, pattern: '[a-z]+' },
    Kind: { type: 'string', enum: ['B', 'a'] },
    Max: { type: 'integer', min: 0, max: 10, box: true },
    Body: { type: 'blob', sensitive: true },
    At: { type: 'timestamp', timestampFormat: 'rfc822' },
    Integer: { type: 'integer' },
    Document: { type: 'structure', members: {}, document: true },
    NoSuchShelf: {
      type: 'structure',
      members: { Message: { shape: 'Name' } },
      error: { httpStatusCode: 404 },
      exception: true,
    },
    Slow: {
      type: 'structure',
      members: {},
      error: { httpStatusCode: 503 },
      exception: true,
      fault: true,
      retryable: { throttling: true },
    },
    Unused: { type: 'boolean' },
  },
}

const paginators = {
  pagination: { ListBooks: { input_token: 'Marker', output_token: 'Next', limit_key: 'Max', result_key: 'Books' } },
}

test('both formats of one service give the same representation', () => {
  const fromSmithy = readModel(JSON.stringify(smithy))
  const fromC2j = readModel(JSON.stringify(c2j), { paginators: JSON.stringify(paginators) })
  assert.deepEqual(fromC2j, fromSmithy)
  assert.equal(JSON.stringify(fromC2j.operations), JSON.stringify(fromSmithy.operations), 'keys in the same order too')
})

test('a model says where each member travels', () => {
  const { operations, shapes } = readModel(JSON.stringify(smithy))
  assert.deepEqual(operations['PutBook'], {
    name: 'PutBook',
    http: { method: 'PUT', uri: '/{Shelf}/{Title+}?book', code: 201 },
    input: 'PutBookRequest',
    output: 'PutBookOutput',
    errors: ['NoSuchShelf', 'Slow'],
    idempotent: true,
    checksumRequired: true,
  })
  assert.deepEqual(shapes['PutBookRequest'], {
    type: 'structure',
    members: {
      Shelf: { target: 'Name', location: 'uri' },
      Title: { target: 'Name', location: 'uri' },
      Token: { target: 'Name', location: 'header', locationName: 'x-token', idempotencyToken: true },
      Meta: { target: 'Meta', location: 'headers', locationName: 'x-meta-' },
      Filter: { target: 'Meta', location: 'querystring' },
      Body: { target: 'Body' },
    },
    required: ['Shelf', 'Title'],
    payload: 'Body',
  })
  assert.deepEqual(operations['Ping'], {
    name: 'Ping',
    http: { method: 'HEAD', uri: '/', code: 200 },
    errors: ['Slow'],
    unsigned: true,
  })
})

test('documentation is left out unless asked for', () => {
  assert.doesNotMatch(JSON.stringify(readModel(JSON.stringify(smithy))), /A name/)
  assert.equal(readModel(JSON.stringify(smithy), { documentation: true }).shapes['Name']?.documentation, 'A name.')
  const docs = JSON.stringify({
    operations: { PutBook: 'Puts.' },
    shapes: { Name: { base: 'A name.', refs: { PutBookRequest$Title: 'The title.' } } },
  })
  const withDocs = readModel(JSON.stringify(c2j), { documentation: true, docs })
  assert.equal(withDocs.operations['PutBook']?.documentation, 'Puts.')
  assert.equal(withDocs.shapes['Name']?.documentation, 'A name.')
  const request = withDocs.shapes['PutBookRequest']
  assert.equal(request?.type === 'structure' && request.members['Title']?.documentation, 'The title.')
})

test('a gzipped model is unpacked', () => {
  assert.deepEqual(readModel(gzipSync(JSON.stringify(c2j))), readModel(JSON.stringify(c2j)))
})

test('pruning keeps what the operations reach, through rings of shapes too', () => {
  const model = readModel(JSON.stringify(smithy))
  assert.ok('Unused' in model.shapes)
  const pruned = pruneModel(model)
  assert.ok(!('Unused' in pruned.shapes))
  checkReferences(pruned, 'pruned')
  assert.deepEqual(Object.keys(pruneModel(model, new Set(['ListBooks'])).shapes), [
    'Book',
    'Books',
    'ListBooksRequest',
    'ListBooksResponse',
    'Max',
    'Name',
    'Names',
    'Slow',
  ])
})

test('JSON is preferred among the protocols of a service, and another can be asked for', () => {
  const metadata = {
    ...c2j.metadata,
    protocols: ['smithy-rpc-v2-cbor', 'json', 'query'],
    jsonVersion: '1.1',
    targetPrefix: 'ShelfV1',
    awsQueryCompatible: {},
  }
  const content = JSON.stringify({ metadata, operations: {}, shapes: {} })
  const model = readModel(content)
  assert.deepEqual([model.protocol, model.targetPrefix, model.queryCompatible], ['json-1.1', 'ShelfV1', true])
  assert.equal(readModel(content, { protocol: 'query' }).protocol, 'query')
  assert.equal(readModel(content, { protocol: 'cbor' }).protocol, 'cbor')
  refuses(() => readModel(content, { protocol: 'rest-xml' }), 'unsupported-protocol', /offers smithy-rpc-v2-cbor, json, query/)
})

test('a shape named like a primitive stays apart from the primitive when its type differs', () => {
  const shapes = {
    ...smithy.shapes,
    'com.amazonaws.shelf#Document': { type: 'structure', members: {} },
    'com.amazonaws.shelf#Integer': { type: 'integer', traits: { 'smithy.api#range': { max: 3 } } },
  }
  const model = readModel(JSON.stringify({ smithy: '2.0', shapes }))
  const output = model.shapes['PutBookOutput']
  assert.ok(output?.type === 'structure')
  assert.equal(output.members['Anything']?.target, 'smithy.api#Document')
  assert.deepEqual(model.shapes['smithy.api#Document'], { type: 'document' })
  assert.equal(output.members['Status']?.target, 'Integer')
})

test('a shape may be called like a member of every object', () => {
  const shapes = {
    ...smithy.shapes,
    'com.amazonaws.shelf#constructor': { type: 'string' },
    'com.amazonaws.shelf#Book': { type: 'union', members: { toString: { target: 'com.amazonaws.shelf#constructor' } } },
  }
  const model = readModel(JSON.stringify({ smithy: '2.0', shapes }))
  assert.deepEqual(Object.getOwnPropertyDescriptor(model.shapes, 'constructor')?.value, { type: 'string' })
  const broken = { ...c2j, shapes: { ...c2j.shapes, Meta: { ...c2j.shapes.Meta, key: { shape: 'constructor' } } } }
  refuses(() => readModel(JSON.stringify(broken)), 'unresolved', /shape "Meta", member "key", refers to shape "constructor"/)
})

test('a truncated model is refused with file, line and column', () => {
  const text = JSON.stringify(smithy, null, 2)
  refuses(
    () => readModel(text.slice(0, 500), { file: 'shelf.json' }),
    'not-json',
    /^shelf\.json: not JSON at line \d+, column \d+: .*the text ends here$/,
  )
  refuses(
    () => readModel('{"smithy": nope}', { file: 'x' }),
    'not-json',
    /^x: not JSON at line 1, column 12: expected a value, found "n"$/,
  )
  refuses(
    () => readModel('', { file: 'x' }),
    'not-json',
    /^x: not JSON at line 1, column 1: expected a value, but the text ends here$/,
  )
  refuses(() => readModel(gzipSync(text).subarray(0, 100), { file: 'x' }), 'not-json', /^x: cannot be unpacked/)
  refuses(() => readModel(new Uint8Array([0xff, 0xfe]), { file: 'x' }), 'not-json', /^x: not UTF-8/)
  // What only begins or goes on like a packed file is text.
  refuses(() => readModel(new Uint8Array([0x1f, 0x20]), { file: 'x' }), 'not-json', /^x: not JSON at line 1, column 1: /)
  refuses(() => readModel(new Uint8Array([0x20, 0x8b]), { file: 'x' }), 'not-json', /^x: not UTF-8/)
})

test('what is no model is refused with what was expected', () => {
  refuses(() => readModel('[]', { file: 'x' }), 'unknown-format', /^x: expected a JSON object/)
  refuses(() => readModel('{"openapi":"3.0"}', { file: 'x' }), 'unknown-format', /neither a Smithy JSON AST .* nor a C2J model/)
  for (const part of ['metadata', 'operations', 'shapes'] as const) {
    const { [part]: _, ...rest } = c2j
    refuses(() => readModel(JSON.stringify(rest), { file: 'x' }), 'unknown-format', /nor a C2J model/)
  }
  refuses(() => readModel('{"smithy":"2.0","shapes":{}}', { file: 'x' }), 'malformed', /no shape of type "service"/)
})

test('a broken model is refused with the shape and member named', () => {
  const smithyWith = (name: string, shape: unknown) =>
    JSON.stringify({ smithy: '2.0', shapes: { ...smithy.shapes, [`com.amazonaws.shelf#${name}`]: shape } })
  refuses(
    () => readModel(smithyWith('Meta', { type: 'map', key: { target: 'com.amazonaws.shelf#Gone' }, value: { target: 'x#y' } })),
    'unresolved',
    /shape "Meta", member "key", refers to shape "com.amazonaws.shelf#Gone", which does not exist/,
  )
  refuses(
    () => readModel(smithyWith('Meta', { type: 7 })),
    'malformed',
    /shape "com.amazonaws.shelf#Meta", type: expected text, found number/,
  )
  refuses(
    () => readModel(smithyWith('Meta', { type: 'map', key: null })),
    'malformed',
    /Meta", key: expected an object, found null/,
  )
  refuses(
    () => readModel(smithyWith('PutBookRequest', { type: 'string' })),
    'malformed',
    /input of operation "PutBook".* is no structure/,
  )
  refuses(
    () => readModel(smithyWith('Book', { type: 'structure', members: {}, mixins: [{ target: 'com.amazonaws.shelf#Book' }] })),
    'malformed',
    /mixins form a ring/,
  )
  const c2jWith = (name: string, shape: unknown) => JSON.stringify({ ...c2j, shapes: { ...c2j.shapes, [name]: shape } })
  refuses(() => readModel(c2jWith('At', { type: 'time' })), 'malformed', /shape "At": unknown type "time"/)
  refuses(
    () => readModel(c2jWith('At', { type: 'timestamp', timestampFormat: 'x' })),
    'malformed',
    /unknown timestamp format "x"/,
  )
  refuses(() => readModel(c2jWith('PutBookRequest', { type: 'structure', members: {} })), 'malformed', /label \{shelf-name\}/)
})

test('every shipped representation is complete in itself and carries no documentation', () => {
  for (const name of shippedServices) {
    const model = serviceModel(name)
    checkReferences(model, name)
    assert.ok(Object.keys(model.operations).length > 0, name)
    assert.doesNotMatch(JSON.stringify(model), /"documentation"|<p>/, name)
    assert.deepEqual(pruneModel(model), model, `${name} carries nothing that is not reached`)
  }
})

test('a Smithy service that says no name is called by its id, a binding without a code answers 200, and one token alone pages nothing', () => {
  const id = (name: string): string => `com.amazonaws.my#${name}`
  const list = (traits: object): object => ({
    type: 'operation',
    traits: { 'smithy.api#http': { method: 'GET', uri: '/' }, ...traits },
  })
  const shapes = {
    [id('Book Shop')]: { type: 'service', traits: { 'aws.protocols#restJson1': {} } },
    [id('ListAll')]: list({}),
    [id('ListIn')]: list({ 'smithy.api#paginated': { inputToken: 'A' } }),
    [id('ListOut')]: list({ 'smithy.api#paginated': { outputToken: 'B' } }),
    [id('ListPages')]: list({ 'smithy.api#paginated': { inputToken: 'A', outputToken: 'B' } }),
  }
  const model = readModel(JSON.stringify({ smithy: '2.0', shapes }))
  assert.deepEqual(
    [model.id, model.endpointPrefix, model.signingName, model.apiVersion],
    ['Book Shop', 'bookshop', 'bookshop', ''],
  )
  assert.deepEqual(
    Object.values(model.operations).map(({ name, http, paginated }) => [name, http.code, paginated]),
    [
      ['ListAll', 200, undefined],
      ['ListIn', 200, undefined],
      ['ListOut', 200, undefined],
      ['ListPages', 200, { inputToken: 'A', outputToken: 'B' }],
    ],
  )
})

test('what only single services do is known by their name: S3 answers where a bucket is without a wrapper', () => {
  const operations = Object.fromEntries(
    ['GetBucketLocation', 'ListBuckets'].map(name => [name, { name, http: { method: 'GET', requestUri: '/' } }]),
  )
  const bareOf = (serviceId: string): readonly unknown[] => {
    const model = readModel(JSON.stringify({ ...c2j, metadata: { ...c2j.metadata, serviceId }, operations }))
    return [model.noErrorWrapping, ...Object.values(model.operations).map(({ unwrappedOutput }) => unwrappedOutput)]
  }
  assert.deepEqual(bareOf('S3'), [true, true, undefined])
  assert.deepEqual(bareOf('S3 Control'), [undefined, undefined, undefined])
})

test('the shipped services speak the protocols of the specification', () => {
  const found = Object.fromEntries(
    shippedServices.map(name => {
      const { protocol, apiVersion, signingName, targetPrefix } = serviceModel(name)
      return [name, [protocol, apiVersion, signingName, targetPrefix ?? '']]
    }),
  )
  assert.deepEqual(found, {
    acm: ['json-1.1', '2015-12-08', 'acm', 'CertificateManager'],
    'acm-pca': ['json-1.1', '2017-08-22', 'acm-pca', 'ACMPrivateCA'],
    eks: ['rest-json', '2017-11-01', 'eks', ''],
    'eks-auth': ['rest-json', '2023-11-26', 'eks-auth', ''],
    iam: ['query', '2010-05-08', 'iam', ''],
    organizations: ['json-1.1', '2016-11-28', 'organizations', 'AWSOrganizationsV20161128'],
    'resource-groups-tagging': ['json-1.1', '2017-01-26', 'tagging', 'ResourceGroupsTaggingAPI_20170126'],
    route53: ['rest-xml', '2013-04-01', 'route53', ''],
    s3: ['rest-xml', '2006-03-01', 's3', ''],
    'service-quotas': ['json-1.1', '2019-06-24', 'servicequotas', 'ServiceQuotasV20190624'],
    sns: ['query', '2010-03-31', 'sns', ''],
    sqs: ['json-1.0', '2012-11-05', 'sqs', 'AmazonSQS'],
    sts: ['query', '2011-06-15', 'sts', ''],
  })
})

const shared = process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '../../../../shared')
const models = join(shared, 'models')
const skip = existsSync(models) ? false : `skipped: no API models in ${models}; set VOUCH_SHARED to a folder with models/`

test('what is committed of the six models is what the reader makes of them', { skip }, () => {
  const names = { acm: 'acm', eks: 'eks', iam: 'iam', route53: 'route-53', s3: 's3', sts: 'sts' } as const
  for (const [service, name] of Object.entries(names)) {
    const file = readdirSync(models).find(each => each.startsWith(`${name}-2`))
    assert.ok(file !== undefined, name)
    const model = pruneModel(readModel(readFileSync(join(models, file)), { file }))
    assert.deepEqual(serviceModel(service as ShippedService), model, `run: npm run generate -- --models ${models}`)
  }
})

function refuses(read: () => unknown, code: ModelErrorCode, message: RegExp): void {
  assert.throws(read, (error: unknown) => {
    assert.ok(error instanceof ModelError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  })
}
