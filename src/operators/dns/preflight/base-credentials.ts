// The credentials with which the operand starts, as this process can have them: the file of its Secret, or a token of its ServiceAccount.
import { serviceModel } from '#aws'
import {
  CredentialsError,
  type CredentialsProvider,
  profileCredentials,
  readProfiles,
  type StsOptions,
  webIdentityRole,
} from '#aws/client'
import { wordsOf } from './refusal.ts'

/** Where the operand has its credentials from. */
export type BaseIdentity =
  /** The file of its Secret, which may name a role and a token. */
  | { readonly kind: 'file' }
  /** A role, by a token of its ServiceAccount. */
  | { readonly kind: 'web-identity'; readonly roleArn: string; readonly audience: string }
  /** Something that only its pod is given. */
  | { readonly kind: 'pod' }

export interface BaseOptions extends StsOptions {
  readonly identity: BaseIdentity
  /** The shared credentials file of the operand; nothing where it has none. */
  readonly file: Uint8Array
  /** Of the operand's ServiceAccount. */
  requestToken(): Promise<string>
}

export type Base =
  | { readonly kind: 'found'; readonly credentials: CredentialsProvider }
  /** Only the pod has them. */
  | { readonly kind: 'inside' }
  /** The file is of no use, to the operand neither. */
  | { readonly kind: 'flawed'; readonly message: string }

const path = '/credentials'
const tokenPath = '/token'

export async function baseCredentials(options: BaseOptions): Promise<Base> {
  const { identity } = options
  if (identity.kind === 'pod') return { kind: 'inside' }
  if (identity.kind === 'web-identity') return { kind: 'found', credentials: withToken(identity.roleArn, options) }
  try {
    return await fromFile(options)
  } catch (error) {
    if (error instanceof CredentialsError) return { kind: 'flawed', message: wordsOf(error) }
    throw error
  }
}

function withToken(roleArn: string, options: BaseOptions): CredentialsProvider {
  const role = { roleArn, tokenFile: tokenPath, sessionName: 'external-dns-preflight', durationSeconds: 900 }
  return webIdentityRole(role, { ...options, files: filesOf(options) })
}

/** No file of this process is ever read: whatever path a profile names is the token of the operand. */
function filesOf({ file, requestToken }: BaseOptions): { read(name: string): Promise<Uint8Array> } {
  return { read: async name => (name === path ? file : Buffer.from(await requestToken())) }
}

async function fromFile(options: BaseOptions): Promise<Base> {
  const files = filesOf(options)
  const env = { AWS_SHARED_CREDENTIALS_FILE: path, AWS_CONFIG_FILE: '' }
  const profiles = await readProfiles({ env, files })
  // These would be the identity of this process, or a program that runs in it.
  const isOwn = [...profiles.values()].some(section => 'credential_source' in section || 'credential_process' in section)
  if (isOwn) return { kind: 'inside' }
  const { transport, clock, random, region, endpoint, endpointOf } = options
  const stsEndpoint = endpoint ?? endpointOf?.(serviceModel('sts'))
  const credentials = await profileCredentials('default', { env, files, transport, clock, random, region, stsEndpoint })
  if (credentials !== undefined) return { kind: 'found', credentials }
  const named = [...profiles.keys()].filter(name => name !== 'default')
  const hint = named.length === 0 ? '' : `; it has ${named.slice(0, 5).join(', ')}, which the operand does not look at`
  return { kind: 'flawed', message: `the key credentials has no usable profile default${hint}` }
}
