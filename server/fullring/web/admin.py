"""All that admins may do over HTTP, in one place for the application."""

from fullring.web import admin_accounts, admin_doors, admin_room, admin_tables

ROUTERS = (admin_accounts.router, admin_doors.router, admin_tables.router, admin_room.router)
