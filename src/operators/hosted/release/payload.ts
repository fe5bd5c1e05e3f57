// What a release says of its images: the file `image-references`, an ImageStream whose tags are the names of components.
import { isRecord } from '#base'

export const payloadPath = 'release-manifests/image-references'

/** Pull specs by the names of components. Throws where it is no such file. */
export function readPayload(text: string): ReadonlyMap<string, string> {
  const stream: unknown = JSON.parse(text)
  const tags = isRecord(stream) && isRecord(stream['spec']) ? stream['spec']['tags'] : undefined
  if (!Array.isArray(tags)) throw new Error(`${payloadPath} has no tags`)
  return new Map(tags.flatMap(tag => entryOf(tag)))
}

function entryOf(tag: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(tag) || !isRecord(tag['from'])) return []
  const { name, from } = tag
  return typeof name === 'string' && from['kind'] === 'DockerImage' && typeof from['name'] === 'string' && from['name'] !== ''
    ? [[name, from['name']]]
    : []
}
