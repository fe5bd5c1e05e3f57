// Manifests on standard output, for people and for other programs to read.
import { dump } from 'js-yaml'
import { printable } from '#base'

/** What YAML would print as it is and a terminal would not show as text is printed as JSON, which is YAML too. */
export function tellManifests(objects: readonly object[]): void {
  process.stdout.write(objects.map(object => `---\n${manifestText(object)}`).join(''))
}

function manifestText(object: object): string {
  const yaml = dump(object, { lineWidth: -1, noRefs: true })
  return printable(yaml) === yaml ? yaml : `${printable(JSON.stringify(object, undefined, 2))}\n`
}
