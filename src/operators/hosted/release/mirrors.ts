// Where else an image is, as a control plane says it of the images of its cluster: for what a digest names, since that can be held against what a
// mirror gives. What a tag names is its own registry's to say, as it is on the nodes.
import type { ImageContentSource } from '../api/kinds.ts'
import { type ImageReference, isDigest, parseImageReference } from './image-reference.ts'

/** Each has its share of the time. */
const mirrorsMax = 3

/** In the order in which they are asked: the mirrors of the longest source that the image is in, and then its own registry. */
export function placesOf(image: ImageReference, sources: readonly ImageContentSource[]): readonly ImageReference[] {
  if (!isDigest(image.version)) return [image]
  const name = `${image.host}/${image.repository}`
  const longest = sources
    .filter(({ source }) => (source ?? '') !== '' && (name === source || name.startsWith(`${source}/`)))
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
  const below = name.slice(lengthOf(longest))
  const mirrors = (longest?.mirrors ?? [])
    .map(mirror => parseImageReference(`${mirror}${below}@${image.version}`))
    .filter(place => place !== undefined)
  return [...mirrors.slice(0, mirrorsMax), image]
}

function lengthOf(one: ImageContentSource | undefined): number {
  return one?.source?.length ?? 0
}
