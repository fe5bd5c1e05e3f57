// The catalogue on the embedded server: without controllers, as the real one is asked, and the cases about controllers with them.
import { catalogue } from './cases/index.ts'
import { embeddedTarget } from './embedded-target.ts'
import { readKnown } from './known.ts'
import { registerCatalogue } from './register.ts'

const known = readKnown()

registerCatalogue(
  'the catalogue on the embedded API server',
  () => Promise.resolve(embeddedTarget()),
  catalogue.filter(one => one.needsControllers !== true),
  known,
)
registerCatalogue(
  'the catalogue on the embedded API server with its controllers',
  () => Promise.resolve(embeddedTarget({ controllers: true })),
  catalogue.filter(one => one.needsControllers === true),
  known,
)
