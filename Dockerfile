# The image that the manifests name: the built package on Node, as nobody in particular, on a root that may be read-only. It is built from
# the folder of the package, which has this file, its .dockerignore and the lock: dist/package after `npm run build`, or node_modules/vouch.
#   docker build -t vouch:0.1.0 dist/package
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /vouch
COPY package.json ./
COPY deploy/package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /vouch
COPY --from=dependencies /vouch/node_modules ./node_modules
COPY package.json ./
COPY LICENSE ./
COPY dist ./dist
# Three names, since the manifests of the webhooks start the programs that they stand in for.
RUN printf '#!/bin/sh\nexec node /vouch/dist/vouch.js "$@"\n' > /usr/bin/vouch \
 && printf '#!/bin/sh\nexec node /vouch/dist/vouch.js webhook aws "$@"\n' > /usr/bin/aws-pod-identity-webhook \
 && printf '#!/bin/sh\nexec node /vouch/dist/vouch.js webhook azure "$@"\n' > /usr/bin/azure-workload-identity-webhook \
 && chmod 755 /usr/bin/vouch /usr/bin/aws-pod-identity-webhook /usr/bin/azure-workload-identity-webhook
# One pool of memory for all threads of the C library: each of V8's threads fills and keeps one of its own otherwise, and none of them asks
# for much. An eighth less in use with thousands of objects, at the same processor time (`npm run bench -- resources`).
ENV MALLOC_ARENA_MAX=1
USER 65532:65532
ENTRYPOINT ["node", "/vouch/dist/vouch.js"]
