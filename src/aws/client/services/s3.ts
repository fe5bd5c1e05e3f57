// S3: the bucket is part of the endpoint, buckets live in regions of their own, and a good status can carry an error.
import { ClientConfigError, type Endpoint } from '../calls/endpoint.ts'
import { InputError } from '../calls/input.ts'
import type { Values, WireResponse } from '../wire/protocols.ts'
import type { Deviations, OperationAddress, S3Addressing } from './deviation.ts'

export const s3Deviations: Deviations = {
  input: (operation, input, { region }) => (operation.name === 'CreateBucket' ? withLocation(input, region) : input),
  endpoint: bucketEndpoint,
  request: (operation, request) => {
    // us-east-1 wants no location, and an empty document is none.
    if (operation.name === 'CreateBucket' && typeof request.body === 'string' && isEmptyLocation(request.body)) {
      delete request.body
      delete request.headers['content-type']
    }
  },
  response: withReadableExpires,
  redirect: regionOfBucket,
  hiddenFailure: (_, response) => (beginsWithError(response.body) ? 500 : undefined),
  signing: { escapePath: false },
  pagination: {
    ListObjectVersions: {
      tokens: [
        ['KeyMarker', 'NextKeyMarker'],
        ['VersionIdMarker', 'NextVersionIdMarker'],
      ],
      items: 'Versions',
    },
    ListMultipartUploads: {
      tokens: [
        ['KeyMarker', 'NextKeyMarker'],
        ['UploadIdMarker', 'NextUploadIdMarker'],
      ],
      items: 'Uploads',
    },
  },
}

/** Outside us-east-1 a bucket must say where it shall be: in the client's region, when the caller says nothing. */
function withLocation(input: Values, region: string): Values {
  const configuration = input['CreateBucketConfiguration'] as Values | undefined
  const stated = configuration?.['LocationConstraint'] ?? configuration?.['Location']
  if (stated === 'us-east-1') return { ...input, CreateBucketConfiguration: without(configuration, 'LocationConstraint') }
  if (stated !== undefined || region === 'us-east-1') return input
  return { ...input, CreateBucketConfiguration: { ...configuration, LocationConstraint: region } }
}

function without(values: Values | undefined, name: string): Values {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => key !== name))
}

function isEmptyLocation(body: string): boolean {
  return /^(?:<\?xml[^>]*\?>)?<CreateBucketConfiguration[^>]*(?:\/>|><\/CreateBucketConfiguration>)$/.test(body)
}

/** In the host where that works, in the path otherwise: custom addresses, and names that no certificate covers. */
function bucketEndpoint(endpoint: Endpoint, input: Values, { operation, addressing }: OperationAddress): Endpoint {
  const bucket = input['Bucket']
  if (operation.name === 'ListDirectoryBuckets') return regionalEndpoint(endpoint)
  if (typeof bucket !== 'string') return endpoint
  if (bucket.startsWith('arn:'))
    throw new InputError('S3', 'Bucket', 'access points are not supported: give the name of the bucket')
  if (bucket.endsWith('--x-s3')) {
    if (!ofDirectories.test(operation.name))
      throw new InputError(
        'S3',
        'Bucket',
        `a directory bucket takes no ${operation.name} here: objects of such buckets are not supported`,
      )
    return inPath(regionalEndpoint(endpoint), bucket)
  }
  if (bucket === '') throw new InputError('S3', 'Bucket', 'is empty')
  if (!isVirtual(bucket, endpoint, addressing)) return inPath(endpoint, bucket)
  const url = new URL(endpoint.url)
  url.hostname = `${bucket}.${url.hostname}`
  if (!url.hostname.startsWith(`${bucket}.`)) throw new ClientConfigError(`the bucket ${bucket} cannot stand in a host name`)
  return { ...endpoint, url }
}

function inPath(endpoint: Endpoint, bucket: string): Endpoint {
  const url = new URL(endpoint.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`
  return { ...endpoint, url }
}

/** What directory buckets have of their own; their objects take sessions, which are not spoken here. */
const ofDirectories = /^(?:Create|Delete)Bucket$|^(?:Get|Put|Delete)Bucket(?:Policy|Encryption|Lifecycle|LifecycleConfiguration)$/

/** Directory buckets stand apart from the rest of S3, under a host and a signature of their own. */
function regionalEndpoint(endpoint: Endpoint): Endpoint {
  const url = new URL(endpoint.url)
  if (!endpoint.isCustom) url.hostname = url.hostname.replace(/^s3\./, 's3express-control.')
  return { ...endpoint, url, signingName: 's3express' }
}

function isVirtual(bucket: string, { url, isCustom }: Endpoint, addressing: S3Addressing): boolean {
  const isName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket)
  const isDotted = /^(?=.{3,63}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])$/.test(bucket) && !bucket.includes('..')
  if (addressing === 'path') return false
  if (addressing === 'virtual') return isName || isDotted
  return !isCustom && (isName || (isDotted && url.protocol === 'http:'))
}

function regionOfBucket({ statusCode, headers, body }: WireResponse): string | undefined {
  const isRedirect = statusCode === 301 || statusCode === 307
  const isWrongScope = statusCode === 400
  if (!isRedirect && !isWrongScope) return undefined
  const stated = headers['x-amz-bucket-region']
  if (stated !== undefined) return stated
  const text = Buffer.from(body.subarray(0, 4_096)).toString('utf8')
  return isWrongScope && !text.includes('AuthorizationHeaderMalformed')
    ? undefined
    : /<Region>([a-z0-9-]+)<\/Region>/.exec(text)?.[1]
}

/** People store anything in `Expires`; what is no time must not make the object unreadable. */
function withReadableExpires(response: WireResponse): WireResponse {
  const { expires, ...headers } = response.headers
  return expires === undefined || !Number.isNaN(Date.parse(expires)) ? response : { ...response, headers }
}

function beginsWithError(body: Uint8Array): boolean {
  const start = Buffer.from(body.subarray(0, 200)).toString('utf8')
  return /^\s*(?:<\?xml[^>]*\?>\s*)?<Error>/.test(start)
}
