# Every target installs what it needs. On a machine with Node, git and make, `make demo` and `make test` are all there is to know.
SHELL := /bin/sh
bin := node_modules/.bin
# make test REPORT=name also writes .build/reports/name.json.
report = $(if $(REPORT),--reporter=default --reporter=json --outputFile.json=.build/reports/$(REPORT).json)
sources := $(shell find src -name '*.ts' ! -name '*.test.ts' 2>/dev/null)

.PHONY: demo test test-real real-peers test-recorded bench build lint types fmt wire clean

demo: dist/ichor.js
	@bin/demo

test: node_modules/.installed dist/ichor.js
	@$(bin)/vitest run $(report)

test-real: node_modules/.installed dist/ichor.js
	@$(bin)/vitest run --config vitest.real.config.ts $(report)

# What real Talos nodes are made of, for `ichor lab start --guests real`; half an hour the first time.
real-peers: node_modules/.installed
	@$(bin)/vitest run --config vitest.real.config.ts test/real/node-parts.test.ts

# What real nodes answered, asked again of the twins; RECORDINGS is the folder with the recordings.
test-recorded: node_modules/.installed
	@RECORDINGS='$(RECORDINGS)' $(bin)/vitest run --config vitest.recorded.config.ts $(report)

bench: node_modules/.installed dist/ichor.js
	@node bench/run.mjs

build: dist/ichor.js

lint: node_modules/.installed dist/ichor.js types
	@$(bin)/oxlint --type-aware --deny-warnings
	@$(bin)/oxfmt --check
	@$(bin)/knip
	@$(bin)/publint --strict

types: node_modules/.installed
	@$(bin)/tsc

fmt: node_modules/.installed
	@$(bin)/oxfmt
	@$(bin)/oxlint --fix

# Code from the .proto files of src/wire; committed, so that only who changes those files needs the tools.
wire: tools/wire/node_modules/.installed
	@cd tools/wire && node_modules/.bin/buf generate

tools/wire/node_modules/.installed: tools/wire/package.json tools/wire/package-lock.json
	@cd tools/wire && npm install --no-save --ignore-scripts --loglevel=error --no-progress >/dev/null
	@touch $@

clean:
	@rm -rf dist .build node_modules *.tgz

dist/ichor.js: node_modules/.installed build.mjs package.json $(sources)
	@node build.mjs

# Not `npm ci`: it wants every optional package of every operating system in the lock file. Versions and checksums are the lock file's here too.
node_modules/.installed: package.json package-lock.json .npmrc
	@npm install --no-save --ignore-scripts --loglevel=error --no-progress >/dev/null
	@touch $@
