// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The classes and objects that a recorded server had before its clients, as its downloads show them.
package struct RecordedContent {
    package private(set) var schema: [Instruction] = []
    /// With the values of the first download that contains the object.
    package private(set) var objects: [Instruction] = []
    private var known: Set<Instruction> = []

    package init(_ recording: Recording) throws {
        for message in recording.messages where !message.isScripted {
            switch message.content {
            case .client(.upload(let upload)):
                for entry in upload.entries { known.formUnion(try Changeset(decoding: entry.changeset).instructions) }
            case .server(.download(let download)):
                for entry in download.entries where entry.origin == ChangeOrder.serverIdent {
                    if !entry.changeset.isEmpty { take(try Changeset(decoding: entry.changeset)) }
                }
            default: break
            }
        }
    }

    private mutating func take(_ changeset: Changeset) {
        var created: Set<ObjectReference> = []
        for instruction in changeset.instructions {
            switch instruction {
            case .addTable, .addColumn: if known.insert(instruction).inserted { schema.append(instruction) }
            case .createObject(let object):
                if known.insert(instruction).inserted {
                    created.insert(object)
                    objects.append(instruction)
                }
            case .change(let place, _): if created.contains(place.object) { objects.append(instruction) }
            case .eraseTable, .eraseColumn, .eraseObject: break
            }
        }
    }
}
