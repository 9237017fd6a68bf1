// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch

    extension DispatchSemaphore {
        /// Waits on another thread than those of all tasks.
        func waitAsynchronously() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    self.wait()
                    continuation.resume()
                }
            }
        }
    }
#endif
