// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension DatabaseInfo {
    var json: JSONText {
        JSONText.object { json in
            addFile(to: &json)
            json.member("tables", tables) { $0.raw($1.json) }
        }
    }

    private func addFile(to json: inout JSONText) {
        json.member("formatVersion", file.formatVersion)
        json.member("form", file.isStreaming ? "streaming" : "plain")
        json.member("encrypted", file.isEncrypted)
        json.member("version", file.version)
        json.member("historyType", file.historyName)
        json.member("historySchemaVersion", file.historySchemaVersion)
        json.member("historyEntries", file.changesetCount)
        json.member("schemaVersion", file.schemaVersion)
        json.member("fileSize", file.byteCount)
        json.member("logicalFileSize", file.logicalByteCount)
        json.member("freeBlocks", file.freeBlockCount)
        json.member("freeBytes", file.freeByteCount)
        json.member("evacuationPoint")
        json.evacuation(file.evacuation)
        guard let history = file.clientHistory else { return }
        json.member("synchronisation")
        history.add(to: &json)
    }
}

extension TableFacts {
    fileprivate var json: JSONText {
        JSONText.object { json in
            json.member("name", name)
            json.member("type", kind.dumpName)
            json.member("objects", objectCount)
            json.member("columns", columnCount)
            json.member("backlinks", backlinkColumnCount)
            json.member("primaryKey", primaryKey)
            json.member("indexed", indexed) { $0.string($1) }
        }
    }
}
