// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SpaceStatistics {
    package var json: JSONText {
        JSONText.object { json in
            json.member("file", path)
            for (name, count) in [
                ("fileBytes", fileByteCount), ("logicalBytes", logicalByteCount), ("freeBytes", freeByteCount),
                ("freeBlocks", freeBlockCount), ("historyBytes", historyByteCount), ("otherBytes", otherByteCount),
            ] {
                json.member(name, count)
            }
            json.member("tables", tables) { $0.raw($1.json) }
        }
    }
}

extension TableSpace {
    fileprivate var json: JSONText {
        JSONText.object { json in
            json.member("name", name)
            for (name, count) in [("objects", objectCount), ("bytes", byteCount)] {
                json.member(name, count)
            }
            json.member("fill")
            json.raw("\((fill * 1000).rounded() / 1000)")
            for (name, parts) in [("columns", columns), ("indexes", indexes)] {
                json.member(name, parts) { json, part in
                    json.object {
                        $0.member("name", part.name)
                        $0.member("bytes", part.byteCount)
                    }
                }
            }
            json.member("backlinkBytes", backlinkByteCount)
            json.member("otherBytes", otherByteCount)
        }
    }
}
