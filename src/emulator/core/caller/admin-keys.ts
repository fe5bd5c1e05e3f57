// Keys of each account's administrator, which exist without being stored: the account is readable in the key id, and id and secret
// follow from the seed. Any account comes into being when its key is first used.
import { createHash } from 'node:crypto'
import type { UserPrincipal } from '../../principal.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const accountCharacters = 8
const checkCharacters = 8

export interface AdminKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Keys are kept: every request of an administrator asks for its key, and the answer is always the same. */
const keys = new Map<string, AdminKey>()
const keysMax = 10_000

export function adminKey(seed: string, partition: string, account: string): AdminKey {
  const name = `${seed}\u0000admin\u0000${partition}\u0000${account}`
  const known = keys.get(name)
  if (known !== undefined) return known
  if (keys.size >= keysMax) keys.clear()
  const made = makeKey(name, account)
  keys.set(name, made)
  return made
}

function makeKey(name: string, account: string): AdminKey {
  const digest = createHash('sha256').update(name).digest()
  const check = Array.from(digest.subarray(0, checkCharacters), byte => alphabet[byte % 32]).join('')
  return { accessKeyId: `AKIA${accountText(account)}${check}`, secretAccessKey: digest.subarray(2, 32).toString('base64') }
}

/** The account of an administrator's key; `undefined` when it is none of this seed and partition. */
export function adminAccountOf(seed: string, partition: string, accessKeyId: string): string | undefined {
  if (!/^AKIA[A-Z2-7]{16}$/.test(accessKeyId)) return undefined
  let number = 0
  for (const character of accessKeyId.slice(4, 4 + accountCharacters)) number = number * 32 + alphabet.indexOf(character)
  const account = String(number).padStart(12, '0')
  return account.length === 12 && adminKey(seed, partition, account).accessKeyId === accessKeyId ? account : undefined
}

export function adminPrincipal(partition: string, account: string, accessKeyId: string): UserPrincipal {
  const userName = 'emulator-admin'
  return {
    kind: 'user',
    partition,
    account,
    arn: `arn:${partition}:iam::${account}:user/${userName}`,
    userId: `AIDA${accountText(account)}ADMINADM0`,
    accessKeyId,
    userName,
    managed: false,
  }
}

function accountText(account: string): string {
  let number = Number(account)
  let text = ''
  for (let index = 0; index < accountCharacters; index++) {
    text = alphabet[number % 32] + text
    number = Math.floor(number / 32)
  }
  return text
}
