// The images of a release as somebody wrote them down, by the labels of the platform. Blanks around one, as a block of YAML leaves them, are no
// part of it: an API server would refuse the Deployment for them.
import { memberAt } from '#base'
import type { KubeObject } from '#kube'

export interface ImageMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

/** `undefined` where the map does not name one. */
export function imageIn(map: ImageMap | undefined, label: string): string | undefined {
  const image = memberAt(map, 'data', label)
  return typeof image === 'string' && image.trim() !== '' ? image.trim() : undefined
}
