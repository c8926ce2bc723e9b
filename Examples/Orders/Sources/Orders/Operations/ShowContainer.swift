// SPDX-License-Identifier: MIT

package import Corinth
import CorinthDrawing
package import HTTP

/// The registrations of the service, their dependencies, and the counts.
package struct ContainerView: Sendable {
  let reloadable: ReloadableContainer
  let metrics: MetricsBehavior

  package init(reloadable: ReloadableContainer, metrics: MetricsBehavior) {
    self.reloadable = reloadable
    self.metrics = metrics
  }

  fileprivate var document: GraphDocument {
    GraphDocument(of: reloadable.current, counts: metrics.snapshot())
  }
}

/// `GET /container`: a page for operators that draws the container, without instances and settings.
package struct ShowContainer: Handler {
  let view: ContainerView
  let settings: ServerSettings

  package init(view: ContainerView, settings: ServerSettings) {
    self.view = view
    self.settings = settings
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    try request.requireOperator(settings)
    return Response(status: 200, text: view.document.page(), type: "text/html; charset=utf-8")
  }
}

/// `GET /container.json`: the same for programs.
package struct ShowContainerDocument: Handler {
  let view: ContainerView
  let settings: ServerSettings

  package init(view: ContainerView, settings: ServerSettings) {
    self.view = view
    self.settings = settings
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    try request.requireOperator(settings)
    return Response(status: 200, text: view.document.json(), type: "application/json")
  }
}
