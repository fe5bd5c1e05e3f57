// The one function through which everything passes before it is written down: known shapes of secrets are masked, whoever put them
// there. Masking too much costs a log line some meaning, masking too little costs a key; where in doubt it masks.

/** A copy that is fit for output: bounded in depth and size, errors as values, secrets masked. */
export function redact(value: unknown): unknown {
  return redactValue(value, 0)
}

/** Masks secrets within a text and bounds its length. */
export function redactText(text: string): string {
  if (text.length < shortMax && !mayBeSecret.test(text)) return text
  let masked = text.length > textLengthMax ? `${text.slice(0, textLengthMax)}… (${text.length} characters)` : text
  for (const [shape, replacement] of shapes) masked = masked.replace(shape, replacement)
  return masked
}

const textLengthMax = 16_384
const depthMax = 8
const itemsMax = 200
const mask = '[redacted]'

/** Whatever of the shapes below has no such sign is longer than this: most fields of most lines are short words, and are looked at once. */
const shortMax = 40
const mayBeSecret = /[:=>.]|-----B|(?:bearer|basic|negotiate)\s/i

const shapes: readonly (readonly [RegExp, string])[] = [
  // A text cut before its END line is masked to its end.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, '[private key]'],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, '[token]'],
  [/\b(bearer|basic|negotiate)\s+[\w.~+/=-]{6,}/gi, `$1 ${mask}`],
  [/\b(Credential=)[^,\s]+/g, `$1${mask}`],
  [/(:\/\/)[^/\s:@]{1,200}:[^/\s@]{1,500}@/g, `$1${mask}@`],
  [
    /((?:aws_?)?(?:secret_?access_?key|session_?token|security-?token)|x-amz-signature|x-amz-security-token|client-key-data|client_secret|password|refresh_?token|id_?token|access_?token|webidentitytoken)(["']?\s*[:=>]\s*["']?)([^\s"'&<,}]+)/gi,
    `$1$2${mask}`,
  ],
  // AWS session tokens begin alike and are long; AWS secret keys are 40 characters of base64 that are not a digest in hex.
  [/\b(?:IQoJ|FwoG|FQoG|AQoD)[\w+/=%-]{60,}/g, '[session token]'],
  [
    /(?<![\w/+=])(?![0-9a-f]{40}(?![\w/+=]))(?=[\w/+]{0,39}[A-Z])(?=[\w/+]{0,39}[a-z])(?=[\w/+]{0,39}\d)[A-Za-z0-9/+]{40}(?![\w/+=])/g,
    '[secret key]',
  ],
  [/(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g, '[bootstrap token]'],
]

/** Names of fields whose text is a secret whatever it looks like; compared without case, dashes and underscores. */
const secretNames = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'awssecretaccesskey',
  'awssessiontoken',
  'bearertoken',
  'clientkey',
  'clientkeydata',
  'clientsecret',
  'cookie',
  'idtoken',
  'keypem',
  'passwd',
  'password',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secretaccesskey',
  'secretkey',
  'securitytoken',
  'sessiontoken',
  'setcookie',
  'token',
  'webidentitytoken',
  'xamzsecuritytoken',
])

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth >= depthMax) return '[deeper]'
  if (value instanceof Error) return redactError(value, depth)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Map) {
    return redactValue(
      Object.fromEntries([...value].map(([name, held]) => [typeof name === 'string' ? name : '[key]', held])),
      depth,
    )
  }
  if (value instanceof Set) return redactValue([...value], depth)
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map(item => redactValue(item, depth + 1))
    return value.length > itemsMax ? [...items, `… (${value.length} items)`] : items
  }
  return redactObject(value as Record<string, unknown>, depth)
}

function redactObject(object: Record<string, unknown>, depth: number): unknown {
  const isSecret = object.kind === 'Secret'
  const shown: Record<string, unknown> = {}
  let count = 0
  for (const name of Object.keys(object)) {
    if (count++ >= itemsMax) {
      shown['…'] = `${Object.keys(object).length} fields`
      break
    }
    if (name === '__proto__') continue
    const value = object[name]
    const hidden = (isSecret && (name === 'data' || name === 'stringData')) || isSecretName(name)
    shown[redactText(name)] = hidden && holdsText(value) ? mask : redactValue(value, depth + 1)
  }
  return shown
}

function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replace(/[-_]/g, ''))
}

/** Numbers and booleans under such names are counts and switches. */
function holdsText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

function redactError(error: Error, depth: number): unknown {
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>
  return {
    ...(redactObject(rest, depth) as object),
    name: error.name ?? name,
    message: redactText(error.message ?? message),
    stack: redactText(String(error.stack ?? stack)),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause ?? cause, depth + 1) }),
  }
}
