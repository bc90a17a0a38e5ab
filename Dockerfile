# mcp-inspect with its page on port 6270. docs/hosting.md says how to run it, and which addresses it answers at.
# `node scripts/pin-actions.mjs` writes the base image's digest here. Without one, it is the newest build of Node 22.

FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Packing builds first. The archive holds what is published: one folder, `package`, without dependencies.
RUN npm pack --silent && tar -xzf mcp-inspect-*.tgz -C /opt

# A release replaces this stage with the package that npm has: `--build-context package=FOLDER`.
FROM scratch AS package
COPY --from=build /opt/package /package

FROM node:22-slim
COPY --from=package /package /opt/mcp-inspect
RUN ln -s /opt/mcp-inspect/dist/cli.js /usr/local/bin/mcp-inspect \
  && mkdir /data /work \
  && chown node:node /data /work
# The folders that are written to, so that the root file system can be read-only. npx keeps its downloads in /tmp.
ENV MCP_INSPECT_HOME=/data npm_config_cache=/tmp/npm
# Servers run in this container as this user too.
USER node
WORKDIR /work
VOLUME /data
EXPOSE 6270
# The page itself needs no token, and its Host is one that the entry point allows.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://localhost:6270/').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A published port reaches only an address of the container, so it listens on all of them. The guard still accepts only
# browsers that use localhost:6270, or the address in --page url.
ENTRYPOINT ["mcp-inspect", "--no-open", "--listen", "0.0.0.0,localhost", "--port", "6270"]
