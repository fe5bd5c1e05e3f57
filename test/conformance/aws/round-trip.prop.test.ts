import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import * as acm from '@aws-sdk/client-acm'
import * as eks from '@aws-sdk/client-eks'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import * as fc from 'fast-check'
import type { Operation, ServiceModel, ShippedService, StructureShape } from '#aws'
import type { HttpRequest, HttpResponse } from '#base'
import { sdkRequestHandler } from '#emulator'
import { provenBody } from '../../../src/emulator/core/body.ts'
import { incomingOf } from '../../../src/emulator/core/incoming.ts'
import type { Service } from '../../../src/emulator/service.ts'
import { allServices } from '../../../src/emulator/services.ts'
import { AddressBook } from '../../../src/emulator/wire/address.ts'
import { protocolOf } from '../../../src/emulator/wire/protocols.ts'
import { structureValues, type Wishes } from './generated-values.ts'

type Values = Readonly<Record<string, unknown>>
interface Client {
  send(command: unknown): Promise<Values>
}

// What the SDK changes on the way by itself, so that it cannot come out as it went in: checksums and digests of bodies, keys of
// customers, lengths, hosts, and the dates that it reads into two members.
const nothing = /^$/
const s3Own =
  /^(?:SSECustomer|CopySourceSSECustomer|Checksum|ContentMD5|ContentLength|ContentEncoding|Expires|MFA$|ExpectedBucketOwner|RequestPayer|ContentType|CopySource|ContentRange|AcceptRanges|WriteOffsetBytes)/
const rows: readonly {
  readonly name: ShippedService
  readonly module: Values
  readonly client: string
  readonly wishes: Wishes
  readonly skip: Readonly<Record<string, string>>
}[] = [
  { name: 'iam', module: iam, client: 'IAMClient', wishes: { leftOut: nothing, fixed: {} }, skip: {} },
  { name: 'sts', module: sts, client: 'STSClient', wishes: { leftOut: nothing, fixed: {} }, skip: {} },
  { name: 'acm', module: acm, client: 'ACMClient', wishes: { leftOut: nothing, fixed: {} }, skip: {} },
  { name: 'eks', module: eks, client: 'EKSClient', wishes: { leftOut: /^(?:version|roleMappings)$/, fixed: {} }, skip: {} },
  { name: 'route53', module: route53, client: 'Route53Client', wishes: { leftOut: nothing, fixed: {} }, skip: {} },
  {
    name: 's3',
    module: s3,
    client: 'S3Client',
    wishes: { leftOut: s3Own, fixed: { Bucket: 'bucket-1' } },
    skip: {
      GetBucketLocation: 'its answer has no element around its value, which the SDK reads by a rule of its own; case 82 reads it',
    },
  },
]

/**
 * Members by which the router tells copies from puts: sent with every call of them. The answer to a copy is never empty: the SDK takes
 * a 200 without a body for a copy that broke off.
 */
const telling: Readonly<Record<string, Values>> = {
  CopyObject: { CopySource: '/bucket-2/a%20key' },
  UploadPartCopy: { CopySource: '/bucket-2/a%20key' },
}

function operationsOf(service: Service): readonly Operation[] {
  return Object.keys(service.operations).map(operation => service.model.operations[operation] as Operation)
}

for (const { name, module, client: clientName, wishes, skip } of rows) {
  test(`every operation of ${name} that we serve carries generated values there and back without loss`, async () => {
    const service = allServices.find(candidate => candidate.name === name) as Service
    const { model } = service
    const protocol = protocolOf(model)
    let output: Values = {}
    const received: { operation: string; input: Values } = { operation: '', input: {} }
    const handle = async (request: HttpRequest): Promise<HttpResponse> => {
      const body =
        request.body === null
          ? new Uint8Array(0)
          : request.body instanceof Uint8Array
            ? request.body
            : await bytesOf(request.body)
      const { raw } = incomingOf(request, body, new AddressBook(allServices))
      const proven = name === 's3' ? { ...raw, ...provenBody(raw, undefined, undefined) } : raw
      const routing = protocol.route(proven)
      if ('unknown' in routing) throw new Error(`${routing.unknown} was not routed`)
      Object.assign(received, { operation: routing.operation.name, input: protocol.decode(routing, proven) })
      const encoded = protocol.encode(routing.operation, instants(output) as Record<string, unknown>, 'id')
      return {
        status: encoded.status,
        headers: encoded.headers,
        body: typeof encoded.body === 'string' ? Buffer.from(encoded.body) : encoded.body,
      }
    }
    const common = {
      region: 'us-east-1',
      maxAttempts: 1,
      forcePathStyle: true,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      requestHandler: sdkRequestHandler(handle),
    }
    const client = new (module[clientName] as new (config: object) => Client)(common)
    for (const operation of operationsOf(service)) {
      if (skip[operation.name] !== undefined) continue
      const Command = module[`${operation.name}Command`] as new (input: Values) => unknown
      const values = fc.tuple(
        structureValues(model, structureOf(model, operation.input), wishes),
        structureValues(model, structureOf(model, operation.output), wishes).filter(
          made => telling[operation.name] === undefined || 'CopyObjectResult' in made || 'CopyPartResult' in made,
        ),
      )
      await fc
        .assert(
          fc.asyncProperty(values, async ([input, made]) => {
            output = made
            const more = telling[operation.name] ?? {}
            const { $metadata: _metadata, ...result } = await client.send(new Command({ ...input, ...more }))
            for (const [member, value] of Object.entries(more)) assert.equal(received.input[member], value)
            assert.deepEqual(
              {
                operation: operation.name,
                input: withoutEmpty(comparable(withoutTokens(model, operation.input, without(received.input, wishes.leftOut)))),
              },
              { operation: received.operation, input: withoutEmpty(comparable(withoutTokens(model, operation.input, input))) },
            )
            assert.deepEqual(withoutEmpty(comparable(await settled(result))), withoutEmpty(comparable(made)))
          }),
          { numRuns: 8 },
        )
        .catch((error: unknown) => {
          throw new Error(`${name} ${operation.name}: ${(error as Error).message}\n${String((error as Error).cause)}`, {
            cause: error,
          })
        })
    }
  })
}

function structureOf(model: ServiceModel, name: string | undefined): StructureShape {
  return name === undefined ? { type: 'structure', members: {}, required: [] } : (model.shapes[name] as StructureShape)
}

/** The SDK gives every object a body and metadata, if need be of nothing. */
function withoutEmpty(values: unknown): Values {
  const isNothing = (name: string, value: unknown): boolean =>
    (name === 'Body' && value === '') || (name === 'Metadata' && JSON.stringify(value) === '{}')
  return Object.fromEntries(Object.entries(values as Values).filter(([name, value]) => !isNothing(name, value)))
}

/** The SDK adds some of what is left out: checksums, lengths, types. */
function without(values: Values, names: RegExp): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.test(name)))
}

/** Idempotency tokens are filled in by the SDK when they are left out. */
function withoutTokens(model: ServiceModel, name: string | undefined, values: Values): Values {
  const tokens = Object.entries(structureOf(model, name).members).filter(([, member]) => member.idempotencyToken)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !tokens.some(([token]) => token === key)))
}

/** What the emulator works with: times in milliseconds. */
function instants(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(instants)
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, instants(held)]))
}

/** One form for both sides: times as numbers, bytes as base64, absent members absent. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(comparable)
  if (value instanceof Date) return value.getTime()
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .map(([key, held]) => [key, comparable(held)]),
  )
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function settled(result: Values): Promise<Values> {
  const read = async (value: unknown): Promise<unknown> =>
    value instanceof Readable ? await bytesOf(value as AsyncIterable<Uint8Array>) : value
  return Object.fromEntries(
    await Promise.all(Object.entries(result).map(async ([key, value]) => [key, await read(value)] as const)),
  )
}
