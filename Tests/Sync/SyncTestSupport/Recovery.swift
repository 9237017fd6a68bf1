// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Recovers changes of a client on the state of the server (§7.4), as far as a simulation needs it: changes without a
/// target are dropped, and list indexes are used unchanged.
enum Recovery {
    static func made(_ changeset: Changeset, again model: inout SyncModel) -> Changeset {
        var made: [Instruction] = []
        for instruction in changeset.instructions {
            guard let instruction = adapted(instruction, model) else { continue }
            var next = model
            guard (try? next.apply(Changeset([instruction]))) != nil else { continue }
            model = next
            made.append(instruction)
        }
        return Changeset(made)
    }

    private static func adapted(_ instruction: Instruction, _ model: SyncModel) -> Instruction? {
        guard case .change(let place, let change) = instruction, change.priorSize != nil,
            let index = place.path.lastIndex
        else { return instruction }
        var list = place
        list.path = Path(place.path.elements.dropLast())
        guard case .list(let elements)? = model.content(at: list) else { return nil }
        let size = elements.count
        switch change {
        case .insert(let value, _):
            list.path = Path(list.path.elements + [.index(min(index, size))])
            return .change(list, .insert(value, priorSize: size))
        case .updateElement(let value, _): return .change(place, .updateElement(value, priorSize: size))
        case .move(let target, _): return .change(place, .move(to: target, priorSize: size))
        case .erase: return .change(place, .erase(priorSize: size))
        default: return nil
        }
    }
}
