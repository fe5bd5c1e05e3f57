// Zones of a YAML file: a list, each with what a flag cannot say.
import { load } from 'js-yaml'
import { type Files, isRecord } from '#base'
import { checkedZone, ZoneError } from './parse-zones.ts'
import type { RegisteredZone } from './registry.ts'

const keys = ['name', 'id', 'assumeRoleArn', 'externalId', 'accountAlias', 'private']
const roleArn = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/
/** A list of some hundred zones is a few kilobytes; what is longer is no list of zones, and YAML can be made to swell. */
const bytesMax = 256 * 1024

export async function readZoneFile(files: Pick<Files, 'read'>, path: string): Promise<readonly RegisteredZone[]> {
  const bytes = await files.read(path)
  if (bytes === undefined) throw new ZoneError(`--zone-config-file: there is no file ${path}`)
  if (bytes.length > bytesMax) throw new ZoneError(`${path}: more than ${bytesMax} bytes are no list of zones`)
  return parseZoneFile(new TextDecoder().decode(bytes), path)
}

/** Throws `ZoneError`. */
export function parseZoneFile(text: string, path: string): readonly RegisteredZone[] {
  if (/(^|[\s[{,:-])[&*][^\s*]/m.test(text.replace(/(["']).*?\1/g, '')))
    throw new ZoneError(`${path}: anchors and aliases are not taken`)
  let parsed: unknown
  try {
    parsed = load(text)
  } catch (error) {
    throw new ZoneError(`${path}: this is no YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`)
  }
  const list = isRecord(parsed) ? parsed.zones : parsed
  if (!Array.isArray(list)) throw new ZoneError(`${path}: there is no list of zones`)
  return list.map((entry, index) => parseEntry(entry, `${path}: zone ${index + 1}`))
}

function parseEntry(entry: unknown, where: string): RegisteredZone {
  if (!isRecord(entry)) throw new ZoneError(`${where} is no object with name and id`)
  const unknown = Object.keys(entry).find(key => !keys.includes(key))
  if (unknown !== undefined) throw new ZoneError(`${where} has the key ${JSON.stringify(unknown)}, which means nothing`)
  const text = (key: string): string | undefined => {
    const value = entry[key]
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw new ZoneError(`${where}: ${key} is no text`)
    return value
  }
  const assumeRoleArn = text('assumeRoleArn')
  if (assumeRoleArn !== undefined && !roleArn.test(assumeRoleArn))
    throw new ZoneError(`${where}: assumeRoleArn is no ARN of a role`)
  if (entry.private !== undefined && typeof entry.private !== 'boolean') throw new ZoneError(`${where}: private is true or false`)
  const more = { assumeRoleArn, externalId: text('externalId'), accountAlias: text('accountAlias'), private: entry.private }
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
  return checkedZone({ name: text('name') ?? '', id: text('id') ?? '', ...given }, where)
}
