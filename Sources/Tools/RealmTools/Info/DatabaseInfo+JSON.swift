// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `realm info` as JSON.
extension DatabaseInfo {
    var json: JSONText {
        var json = JSONText()
        json.raw("{")
        addFile(to: &json)
        json.member("tables")
        json.array(tables) { $0.raw($1.json) }
        json.raw("}")
        return json
    }

    private func addFile(to json: inout JSONText) {
        json.member("formatVersion")
        json.integer(file.formatVersion)
        json.member("form")
        json.string(file.isStreaming ? "streaming" : "plain")
        json.member("encrypted")
        json.raw("\(file.isEncrypted)")
        json.member("version")
        json.integer(file.version)
        json.member("historyType")
        json.string(file.historyName)
        json.member("historySchemaVersion")
        json.integer(file.historySchemaVersion)
        json.member("historyEntries")
        json.integer(file.changesetCount)
        json.member("schemaVersion")
        json.integer(file.schemaVersion)
        json.member("fileSize")
        json.integer(file.byteCount)
        json.member("logicalFileSize")
        json.integer(file.logicalByteCount)
        json.member("freeBlocks")
        json.integer(file.freeBlockCount)
        json.member("freeBytes")
        json.integer(file.freeByteCount)
        json.member("evacuationPoint")
        json.evacuation(file.evacuation)
        guard let history = file.clientHistory else { return }
        json.member("synchronisation")
        history.add(to: &json)
    }
}

extension TableFacts {
    fileprivate var json: JSONText {
        var json = JSONText()
        json.raw("{")
        json.member("name")
        json.string(name)
        json.member("type")
        json.string(kind.dumpName)
        json.member("objects")
        json.integer(objectCount)
        json.member("columns")
        json.integer(columnCount)
        json.member("backlinks")
        json.integer(backlinkColumnCount)
        json.member("primaryKey")
        json.string(primaryKey)
        json.member("indexed")
        json.array(indexed) { $0.string($1) }
        json.raw("}")
        return json
    }
}
